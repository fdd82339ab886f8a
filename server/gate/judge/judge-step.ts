// Judges the steps of test invoices, whose journals are composed and not posted. Pure.

import { assertLegal } from '../../ledger/index.ts';
import type { InvoiceStep } from '../invoices/draft.ts';
import type { Invoice } from '../invoices/invoice.ts';
import { type OwnSum, ownSums } from './own-sums.ts';

/**
 * Checks a step of a test invoice as the ledger would: its legs must be legal, no account of the invoice may go below zero, and
 * each must come out as the changed invoice says. `id`: id for the journal. Throws for a fault of the code.
 */
export function judgeStep(before: Invoice, { invoice: after, kind, legs }: InvoiceStep, id: string): void {
  const sums = byName(ownSums(before));
  const expected = byName(ownSums(after));
  const isOwn = (name: string): boolean => name.startsWith(`invoice:${after.id}:`);
  if (legs.length > 0) assertLegal({ id, kind, cause: after.id, legs });
  for (const { from, to, parts } of legs) {
    if (isOwn(from.name)) sums.set(from.name, (sums.get(from.name) ?? 0n) - parts);
    if (isOwn(to.name)) sums.set(to.name, (sums.get(to.name) ?? 0n) + parts);
  }
  for (const name of new Set([...sums.keys(), ...expected.keys()])) {
    const [moved, stated] = [sums.get(name) ?? 0n, expected.get(name) ?? 0n];
    if (moved < 0n || moved !== stated)
      throw new Error(`${kind} leaves ${moved} in ${name}, and the test invoice states ${stated}`);
  }
}

function byName(sums: readonly OwnSum[]): Map<string, bigint> {
  const all = new Map<string, bigint>();
  for (const { account, parts } of sums) all.set(account.name, (all.get(account.name) ?? 0n) + parts);
  return all;
}
