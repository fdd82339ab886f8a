// Carries out timed steps of deposits: clears money that can no longer be taken back, ends requests that were not paid, and
// settles debts for deposits that were taken back.

import { dropUses, isReversible } from '../../compliance/index.ts';
import { alone, unpolledAmong } from '../../collecting/index.ts';
import { type Db, every, log, newId } from '../../platform/index.ts';
import { settleRequests } from '../deposits/deposit-request-store.ts';
import { type Deposit, clear } from '../deposits/deposit.ts';
import { settleDebts } from '../deposits/settle-debts.ts';
import { DEPOSIT, type DepositRow, depositOf, saveDeposits, movedAmong } from '../store.ts';

const EVERY_MS = 5_000;
const GROUP = 100;

/** Carries out all due steps of deposits and returns their number. `name`: the product's name, for letters. */
export const dueDeposits = async (db: Db, name: string): Promise<number> =>
  (await matureDue(db)) + (await endUnpaidRequested(db)) + (await settleDebts(db, name));

/** Carries out due steps of deposits every few seconds until stopped. `name`: the product's name, for letters. */
export const runDeposits = (db: Db, name: string): { stop(): Promise<void> } =>
  every(EVERY_MS, 'wallets.due', () => dueDeposits(db, name));

/**
 * Makes deposits available that can no longer be taken back, and returns their number. A payment system must first be polled
 * after the clearing time, since a dispute may have been opened before.
 */
export async function matureDue(db: Db): Promise<number> {
  return alone(db, async (unit) => {
    const { tx } = unit;
    const rows = await tx.rows<DepositRow>(
      `select ${DEPOSIT} from wallet_deposit d where status = 'maturing' and free_at <= $1
       order by free_at limit $2 for update skip locked`,
      [tx.now, GROUP],
    );
    const due = rows.map((row): Deposit => depositOf(row));
    const moved = await movedAmong(tx, due);
    if (moved.size > 0) log.alarm('the clearing time of deposits was altered: they wait', { depositId: [...moved] });
    const ripe = due.map(({ payinId: id, freeAt = tx.now }) => ({ id, payments: [id], since: freeAt }));
    const unpolled = await unpolledAmong(
      tx,
      ripe.filter(({ id }) => !moved.has(id)),
    );
    const free = due.filter(({ payinId }) => !moved.has(payinId) && !unpolled.has(payinId));
    const steps = free.map((one) => clear(one, tx.now, newId()));
    await saveDeposits(
      tx,
      steps.map(({ deposit }) => deposit),
    );
    for (const { journal } of steps) unit.post(journal);
    return steps.length;
  });
}

/** Ends expired requests for deposits, and returns their number. Unpaid requests release the limits that they used. */
export async function endUnpaidRequested(db: Db): Promise<number> {
  return db.tx(async (tx) => {
    const over = await settleRequests(tx, GROUP);
    const unpaid = over.filter(({ isPaid, currency }) => !isPaid && isReversible(currency));
    await dropUses(tx, unpaid);
    return over.length;
  });
}
