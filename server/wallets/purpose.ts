import { Problem } from '@kurs/contract';
import { definePurpose, takesFor } from '../payments/index.ts';

const DEPOSITS = definePurpose('deposits');

/**
 * Whether people let a rail take new deposits, as of half a second ago. What is paid to addresses that there are is credited
 * either way.
 */
export const takesDeposits = (rail: string): boolean => takesFor(rail, DEPOSITS);

/** Throws `deposits_closed` where a rail takes no new deposits now. */
export function requireDeposits(rail: string): void {
  if (!takesDeposits(rail)) throw new Problem('deposits_closed');
}
