// What leaves wallets is asked about once more as it leaves: a withdrawal as its holder stands now, a deposit that is given back
// as it stands now itself.

import { owedBy, shownHolder } from '../compliance/index.ts';
import { accounts, balance } from '../ledger/index.ts';
import { whatStops } from '../moneyout/index.ts';
import type { Kept, MayLeave } from '../payments/index.ts';
import type { Tx } from '../platform/index.ts';
import { depositsGivenBackBy } from './store.ts';
import type { Withdrawal } from './withdrawal.ts';
import { withdrawalsById } from './withdrawal-store.ts';

/** Wallets' answer to payments: which of their payouts may not leave any more, and why. */
export const walletsMayLeave: MayLeave = async (tx, payouts) => {
  const kept = new Map<string, Kept>();
  const idsOf = (isRefund: boolean): string[] =>
    payouts.filter(({ purpose }) => (purpose === 'refund') === isRefund).map(({ id }) => id);
  for (const one of await withdrawalsById(tx, idsOf(false))) {
    const reason = await stopsWithdrawal(tx, one);
    if (reason !== undefined) kept.set(one.id, { reason });
  }
  for (const { backId = '', holderId, unit, owed } of await depositsGivenBackBy(tx, idsOf(true))) {
    // Of one that was taken back meanwhile there is nothing to give; and whoever owes is paid nothing.
    const debt = owed > 0n || (await balance(tx, accounts.receivable(holderId, unit))) > 0n;
    if (debt) kept.set(backId, { reason: 'debt_open' });
    else if (await owesElsewhere(tx, holderId)) kept.set(backId, { reason: 'debt_stops' });
  }
  return kept;
};

async function owesElsewhere(tx: Tx, holderId: string): Promise<boolean> {
  const holder = await shownHolder(tx, holderId);
  return ((await owedBy(tx, new Map([['holder', { subject: { email: '', accounts: [], holder }, payers: [] }]]))).get('holder')?.shown.length ?? 0) > 0; // prettier-ignore
}

/** Why a withdrawal may not leave as things stand: the code of the problem. */
async function stopsWithdrawal(tx: Tx, { holderId, unit, currency, key }: Withdrawal): Promise<string | undefined> {
  return (await whatStops(tx, { holderId, unit, to: { currency, key } }, tx.now))?.code;
}
