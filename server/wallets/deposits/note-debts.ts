import { debtorOf, debtsAmong, noteDebt } from '../../compliance/index.ts';
import { type PayoutBody, foundLateById, isChain, owedForFind } from '../../payments/index.ts';
import type { Tx } from '../../platform/index.ts';
import type { Deposit } from './deposit.ts';

/** Stores the current debts for deposits, with the keys of their holders and of the accounts at providers that paid. */
export async function noteDeposits(tx: Tx, deposits: readonly Deposit[]): Promise<void> {
  const known = await debtsAmong(
    tx,
    deposits.map(({ payinId }) => payinId),
  );
  const owing = deposits.filter(({ payinId, owed }) => owed > 0n || known.has(payinId));
  for (const { payinId: id, holderId, currency, unit, owed: parts, senders } of owing) {
    const payers = isChain(currency) ? [] : senders.map((sender) => `${currency}:${sender}`);
    await noteDebt(tx, { id, about: 'deposit', unit, parts }, await debtorOf(tx, holderId, payers));
  }
}

/**
 * Stores holders' debts for payouts found late, whose money had already been returned. Also stores that such debts are settled.
 */
export async function noteFinds(tx: Tx, events: readonly { readonly body: PayoutBody }[]): Promise<void> {
  for (const { body } of events) {
    const { intentId: id, event, unit } = body;
    if (event !== 'found_late' && event !== 'late_back' && event !== 'late_settled') continue;
    const debtor = await debtorOf(tx, (await foundLateById(tx, id))?.party);
    await noteDebt(tx, { id, about: 'payout', unit, parts: owedForFind(body) }, debtor);
  }
}
