import { readField } from '../pasted.ts';
import type { AccountCheck, Fields } from '../rail.ts';

/** The form of a wallet's number: a letter, and how many digits follow it. */
interface WalletForm {
  readonly letter: string;
  readonly min: number;
  readonly max: number;
}

/**
 * Checks a wallet's number, the one field of an account, against its form. Spaces are left out and letters made large, so that
 * one account is one key; what has another form is told the right one. Only the provider knows whether it exists.
 */
export function checkWallet(field: string, form: WalletForm, fields: Fields): AccountCheck {
  const pasted = readField(field, fields);
  if (!pasted.ok) return pasted;
  const text = pasted.text.replaceAll(/\s/g, '').toUpperCase();
  if (text === '') return { ok: false, field, problem: 'empty' };
  const { letter, min, max } = form;
  if (new RegExp(`^${letter}\\d{${min},${max}}$`).test(text)) return { ok: true, fields: { [field]: text }, key: text };
  const says = { letter, digits: min === max ? String(max) : `${min}–${max}` };
  return { ok: false, field, problem: 'bad_format', says };
}

const MAIL = { schemes: ['mailto'] };
/** A mailbox by RFC 5321: dots part its name, of at most 64 characters; labels of its domain have at most 63. */
const EMAIL =
  /^(?=[^@]{1,64}@)[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)+$/;

/**
 * Checks an account that is an e-mail address of at most so many characters; spaces around it and large letters make no other.
 */
export function checkEmail(field: string, longest: number, fields: Fields): AccountCheck {
  const pasted = readField(field, fields, MAIL);
  if (!pasted.ok) return pasted;
  const email = pasted.text.toLowerCase();
  if (email === '') return { ok: false, field, problem: 'empty' };
  if (email.length > longest || !EMAIL.test(email)) return { ok: false, field, problem: 'bad_format' };
  return { ok: true, fields: { [field]: email }, key: email };
}

/** An account that isn't one of our own: what was sent there would never have left. */
export function notOurs(field: string, check: AccountCheck, own: readonly string[]): AccountCheck {
  return check.ok && own.includes(check.key) ? { ok: false, field, problem: 'unusable' } : check;
}
