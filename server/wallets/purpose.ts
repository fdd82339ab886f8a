import { Problem } from '@kurs/contract';
import { takesFor, takesNowFor } from '../payments/index.ts';
import type { Statements } from '../platform/index.ts';

/** Purpose for which rails take deposits. */
export const DEPOSITS = 'deposits';

/**
 * Returns true if people let a rail take new deposits, as of half a second ago. Payments to existing addresses are credited in
 * any case.
 */
export const takesDeposits = (rail: string): boolean => takesFor(rail, DEPOSITS);

/** Throws `deposits_closed` if a rail takes no new deposits, as of this transaction. */
export async function requireDeposits(tx: Statements, rail: string): Promise<void> {
  if (!(await takesNowFor(tx, rail, DEPOSITS))) throw new Problem('deposits_closed');
}
