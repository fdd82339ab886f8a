import { readField } from '../pasted.ts';
import type { AccountCheck, Fields } from '../rail.ts';

/** Form of a wallet's number: a letter, and the minimum and maximum number of digits after it. */
interface WalletForm {
  readonly letter: string;
  readonly min: number;
  readonly max: number;
}

/**
 * Checks a wallet's number, the only field of an account, against its form. Spaces are removed and letters become upper case, so
 * that one account has one key. The problem names the right form. Only the provider knows if the wallet exists.
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
/** An e-mail address by RFC 5321: at most 64 characters before the @, in words between dots; labels of at most 63 after it. */
const EMAIL =
  /^(?=[^@]{1,64}@)[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)+$/;

/** Checks an account that is an e-mail address of at most `longest` characters. Returns it in lower case, or the problem. */
export function checkEmail(field: string, longest: number, fields: Fields): AccountCheck {
  const pasted = readField(field, fields, MAIL);
  if (!pasted.ok) return pasted;
  const email = pasted.text.toLowerCase();
  if (email === '') return { ok: false, field, problem: 'empty' };
  if (email.length > longest || !EMAIL.test(email)) return { ok: false, field, problem: 'bad_format' };
  return { ok: true, fields: { [field]: email }, key: email };
}

/** Returns the check, but refuses our own accounts (`own`, by their keys): money sent there would never leave. */
export function notOurs(field: string, check: AccountCheck, own: readonly string[]): AccountCheck {
  return check.ok && own.includes(check.key) ? { ok: false, field, problem: 'unusable' } : check;
}
