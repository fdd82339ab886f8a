// Judges journals of test stores, which are composed and not posted. Pure.

import { type Journal, assertLegal } from '../../ledger/index.ts';
import type { OwnSum } from './own-sums.ts';

/** Sums in the accounts of a row of a test store, before and after a journal. `isOwn`: true for the name of such an account. */
export interface JudgedSums {
  readonly before: readonly OwnSum[];
  readonly after: readonly OwnSum[];
  readonly isOwn: (name: string) => boolean;
}

/**
 * Checks a journal as the ledger would: its legs must be legal, no account of the row may go below zero, and each must come out as
 * the changed row says. Throws for a fault of the code.
 */
export function judgeJournal(
  journal: Pick<Journal, 'id' | 'kind' | 'cause' | 'legs'>,
  { before, after, isOwn }: JudgedSums,
): void {
  const { kind, legs } = journal;
  const sums = byName(before);
  const expected = byName(after);
  if (legs.length > 0) assertLegal(journal);
  for (const { from, to, parts } of legs) {
    if (isOwn(from.name)) sums.set(from.name, (sums.get(from.name) ?? 0n) - parts);
    if (isOwn(to.name)) sums.set(to.name, (sums.get(to.name) ?? 0n) + parts);
  }
  for (const name of new Set([...sums.keys(), ...expected.keys()])) {
    const [moved, stated] = [sums.get(name) ?? 0n, expected.get(name) ?? 0n];
    if (moved < 0n || moved !== stated) throw new Error(`${kind} leaves ${moved} in ${name}, and its test row states ${stated}`);
  }
}

function byName(sums: readonly OwnSum[]): Map<string, bigint> {
  const all = new Map<string, bigint>();
  for (const { account, parts } of sums) all.set(account.name, (all.get(account.name) ?? 0n) + parts);
  return all;
}
