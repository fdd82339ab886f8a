import { Unreachable } from './http.ts';

const DECIMAL = /^(\d{1,20})(?:\.(\d{1,20}))?$/;

/**
 * Returns an amount of a provider's answer (`"10"`, `"10.5"`, `"10.0000"`) in minor units of a scale, rounded down. Throws
 * `Unreachable` for any other text: an unreadable amount is not zero.
 */
export function partsRead(text: string, scale: number): bigint {
  const match = DECIMAL.exec(text);
  if (!match) throw new Unreachable('an amount that is none');
  const [, whole = '', behind = ''] = match;
  return BigInt(whole + behind.slice(0, scale).padEnd(scale, '0'));
}

/** Returns a moment of a provider's answer, with an offset (`2026-11-22T10:00:00.000Z`). Throws `Unreachable` for any other text. */
export function momentRead(text: string): Date {
  const moment = new Date(text);
  if (!/(Z|[+-]\d{2}:?\d{2})$/.test(text) || Number.isNaN(moment.getTime())) throw new Unreachable('a moment that is none');
  return moment;
}
