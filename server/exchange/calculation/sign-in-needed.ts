// Visitors have level 0. If a higher level would allow their amount, they are asked to sign in instead of being refused.

import { Problem } from '@kurs/contract';
import { type Level, levelOf, payerLevel, requirePayerLevel } from '../../compliance/index.ts';
import type { Statements } from '../../platform/index.ts';

/** The customer who wants to exchange. `isVisitor`: signing in could give them a higher level. */
export interface Asker {
  readonly level: Level;
  readonly isVisitor: boolean;
}

/**
 * Returns the customer of a call, with their level. `isPartner`: a partner's program calls for its customer, who can't sign in
 * there and so has level 0.
 */
export async function askerOf(
  db: Statements,
  holderId: string | undefined,
  { isPartner = false }: { readonly isPartner?: boolean | undefined } = {},
): Promise<Asker> {
  return { level: await levelOf(db, holderId), isVisitor: holderId === undefined && !isPartner };
}

const HIGHER: readonly Level[] = [1, 2, 3];
/** Codes of errors on an amount that a higher level could avoid. */
const OF_LEVEL = new Set(['amount_above_max', 'amount_above_reserve', 'amount_above_limit']);

/**
 * Throws if the customer's level is too low to pay in a currency: `sign_in_needed` for a visitor, and for others the errors of
 * `requirePayerLevel`.
 */
export function requireLevelToPay(currency: string, { level, isVisitor }: Asker): void {
  const needed = payerLevel(currency);
  if (isVisitor && level < needed) throw signInNeeded(needed);
  requirePayerLevel(currency, level);
}

/**
 * Returns the result of `work` at the customer's level, or throws its error. If `work` refuses a visitor's amount but would
 * accept it at a higher level, throws `sign_in_needed` with the lowest such level.
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
