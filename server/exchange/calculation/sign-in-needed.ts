// Visitors have level 0. What a higher level would allow them asks them to sign in, instead of only refusing the amount.

import { Problem } from '@kurs/contract';
import { type Level, levelOf, payerLevel, requirePayerLevel } from '../../compliance/index.ts';
import type { Statements } from '../../platform/index.ts';

/** Who asks for an exchange: their level, and whether signing in could give them a higher one. */
export interface Asker {
  readonly level: Level;
  readonly isVisitor: boolean;
}

/**
 * The asker of a call. `isPartner`: a partner's program asks for its customer, who has no way to sign in there and so has
 * level 0.
 */
export async function askerOf(
  db: Statements,
  holderId: string | undefined,
  { isPartner = false }: { readonly isPartner?: boolean | undefined } = {},
): Promise<Asker> {
  return { level: await levelOf(db, holderId), isVisitor: holderId === undefined && !isPartner };
}

const HIGHER: readonly Level[] = [1, 2, 3];
/** Refusals of an amount that depend on the level. */
const OF_LEVEL = new Set(['amount_above_max', 'amount_above_reserve', 'amount_above_limit']);

/**
 * Throws where the asker's level is too low to pay in a currency: `sign_in_needed` for a visitor, else as `requirePayerLevel`.
 */
export function requireLevelToPay(currency: string, { level, isVisitor }: Asker): void {
  const needed = payerLevel(currency);
  if (isVisitor && level < needed) throw signInNeeded(needed);
  requirePayerLevel(currency, level);
}

/**
 * What `work` gives at the asker's level. Throws what it throws; but `sign_in_needed` with the lowest level that is enough,
 * where a visitor's amount is refused and an account holder's would not be.
 */
export function atLevelOf<T>({ level, isVisitor }: Asker, work: (level: Level) => T): T {
  try {
    return work(level);
  } catch (error) {
    const enough = isVisitor && isOfLevel(error) ? HIGHER.find((higher) => passes(() => work(higher))) : undefined;
    throw enough === undefined ? error : signInNeeded(enough);
  }
}

const signInNeeded = (level: number): Problem => new Problem('sign_in_needed', { params: { level: String(level) } });

function isOfLevel(error: unknown): boolean {
  if (!(error instanceof Problem) || error.code !== 'validation') return false;
  return [error.details.errors?.['amount'] ?? []].flat().some(({ code }) => OF_LEVEL.has(code));
}

function passes(work: () => unknown): boolean {
  try {
    work();
    return true;
  } catch (error) {
    if (error instanceof Problem) return false;
    throw error;
  }
}
