import type { AccountCheck, Fields } from '../rail.ts';

/**
 * Checks an account that is one text in one field against its form. Spaces are left out and letters made large, so that
 * one account is one key. Only the provider knows whether it exists.
 */
export function checkText(field: string, form: RegExp, fields: Fields): AccountCheck {
  const text = (fields[field] ?? '').replaceAll(/\s/g, '').toUpperCase();
  if (text === '') return { ok: false, field, problem: 'empty' };
  if (!form.test(text)) return { ok: false, field, problem: 'bad_format' };
  return { ok: true, fields: { [field]: text }, key: text };
}

/** An account that isn't one of our own: what was sent there would never have left. */
export function notOurs(field: string, check: AccountCheck, own: readonly string[]): AccountCheck {
  return check.ok && own.includes(check.key) ? { ok: false, field, problem: 'unusable' } : check;
}
