import { Problem } from '@kurs/contract';
import { takesFor, takesNowFor } from '../payments/index.ts';
import type { Statements } from '../platform/index.ts';

/** Name of the purpose `deposits`, for which rails can be switched on or off. */
export const DEPOSITS = 'deposits';

/**
 * Returns true if people let a rail take new deposits. The answer may be half a second old. Payments to existing addresses are
 * credited in any case.
 */
export const takesDeposits = (rail: string): boolean => takesFor(rail, DEPOSITS);

/** Throws `deposits_closed` if a rail takes no new deposits, by the state within this transaction. */
export async function requireDeposits(tx: Statements, rail: string): Promise<void> {
  if (!(await takesNowFor(tx, rail, DEPOSITS))) throw new Problem('deposits_closed');
}
