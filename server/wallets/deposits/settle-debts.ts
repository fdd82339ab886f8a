// What is owed for deposits that were taken back after they were spent: whatever comes into that wallet later settles it first,
// be it a deposit, a transfer, an order or a withdrawal that came back. Until then the one
// door lets nothing of that unit out.

import { type AccountRef, accounts, balances, post } from '../../ledger/index.ts';
import { marketPrices } from '../../payments/index.ts';
import { type Db, type Tx, newId } from '../../platform/index.ts';
import { settle } from './deposit.ts';
import { queueDepositLetter } from './deposit-letters.ts';
import { type Debt, debtsAfter, depositsById, saveDeposits } from '../store.ts';

const GROUP = 500;

/** Settles what can be settled now, oldest deposits first; gives of how many. `name`: the product's, for letters. */
export async function settleDebts(db: Db, name: string): Promise<number> {
  let settled = 0;
  let behind: string | undefined;
  for (;;) {
    const debts = await debtsAfter(db, behind, GROUP);
    const there = await balances(db, debts.map(walletOf));
    for (const [at, { payinId }] of debts.entries())
      if ((there[at] ?? 0n) > 0n && (await db.tx((tx) => settleOne(tx, name, payinId)))) settled += 1;
    behind = debts.at(-1)?.payinId;
    if (debts.length < GROUP) return settled;
  }
}

const walletOf = ({ holderId, unit }: Debt): AccountRef => accounts.wallet(holderId, unit);

async function settleOne(tx: Tx, name: string, payinId: string): Promise<boolean> {
  const one = (await depositsById(tx, [payinId])).get(payinId);
  if (!one) return false;
  const [available = 0n] = await balances(tx, [walletOf(one)]);
  const { deposit, journal } = settle(one, available, newId());
  if (!journal) return false;
  await saveDeposits(tx, [deposit]);
  await queueDepositLetter(tx, name, deposit, { kind: 'settled', parts: one.owed - deposit.owed });
  // Where the wallet was spent from in this very moment the ledger refuses: it is tried again with the next look.
  const [posted] = await post(tx, [{ ...journal, prices: marketPrices([one.unit]) }]);
  if (posted?.status !== 'posted') throw new Error(`The ledger refused to settle a debt: ${posted?.status}`);
  return true;
}
