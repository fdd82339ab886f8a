import type { Output, Routes } from '@kurs/contract';
import type { Deposit } from './deposit.ts';
import { text } from '../sums.ts';

/** Returns a payment into a wallet as its holder sees it. */
export function depositView(one: Deposit, unswept: ReadonlySet<string> = new Set()): Output<Routes['walletDeposits']>[number] {
  const { payinId: id, addressId: address, currency, unit, txid, status, confirmations, needed } = one;
  return {
    ...{
      id,
      place: address,
      currency,
      unit,
      amount: text(unit, one.parts),
      fee: text(unit, one.fee),
      txid,
      status,
      confirmations,
      needed,
    },
    papers: status === 'checking' ? (one.papers ?? null) : null,
    unswept: unswept.has(id),
    seen_at: one.seenAt.toISOString(),
    final_at: one.finalAt?.toISOString() ?? null,
    free_at: status === 'maturing' ? (one.freeAt?.toISOString() ?? null) : null,
    ended_at: one.endedAt?.toISOString() ?? null,
  };
}
