// Ends refunds: what nobody has claimed returns to the store, when the time for claims is over or a member cancels.

import { Problem } from '@kurs/contract';
import { type UnitOfWork, alone } from '../../../collecting/index.ts';
import type { Journal } from '../../../ledger/index.ts';
import { type Db, log, newId } from '../../../platform/index.ts';
import { givenBackLegs } from '../machine/claim-legs.ts';
import { judgeRefund } from '../machine/judge-refund.ts';
import { type Refund, plus } from '../machine/refund.ts';
import { planNow } from '../../plans/plan-rows.ts';
import { claimsOf } from '../rows/claim-rows.ts';
import { lockDueRefunds, lockRefunds, putOffRefunds } from '../rows/refund-rows.ts';
import { type StoreJournal, changeDebts } from '../../settled/repay.ts';
import { lockStore } from '../../stores/store-rows.ts';
import { type OpenRefund, openRefund, saveChange } from './save-refund.ts';

const GROUP = 100;
const PUT_OFF_MS = 600_000;

/** A refund that has ended, and the journals that brought its money to the store. */
interface Ended {
  readonly refund: Refund;
  readonly journals: readonly StoreJournal[];
}

/** Returns what nobody has claimed of a locked refund to the store. The caller then calls `settle` with the journals. */
async function giveBack(unit: UnitOfWork, { refund, claims }: OpenRefund, how: 'expired' | 'cancelled'): Promise<Ended> {
  const ended: Refund = {
    ...refund,
    rests: [],
    back: refund.rests.reduce(plus, refund.back),
    ended: how === 'cancelled' ? how : (refund.ended ?? how),
  };
  const legs = givenBackLegs(refund);
  const journal: Journal = { id: newId(), kind: 'merchant_refund_expired', cause: refund.id, legs };
  if (refund.isTest) judgeRefund({ refund, claims }, { refund: ended, claims }, journal);
  else unit.post(journal);
  const event = how === 'expired' ? 'time_over' : 'cancel';
  const saved = await saveChange(unit.tx, { refund: ended, claims }, { event, news: how });
  return { refund: saved.refund, journals: refund.isTest ? [] : [{ journalId: journal.id, store: refund.store, legs }] };
}

/** Repays debts of stores to which ended refunds brought money, and moves the rest of personal stores to their owners' wallets. */
async function settle(unit: UnitOfWork, journals: readonly StoreJournal[]): Promise<void> {
  await changeDebts(unit, journals);
  const personal = journals.flatMap(({ store }) => (store.businessId === undefined ? [store.id] : []));
  await planNow(unit.tx, [...new Set(personal)]);
}

/**
 * Cancels a refund: what nobody has claimed returns to the store at once, and repays a debt first. Claims that were made go on. Throws
 * `refund_unknown` if the refund is another store's, `refund_over` if nothing is unclaimed, and `record_altered`.
 */
export async function cancelRefund(db: Db, { store, id }: { readonly store: string; readonly id: string }): Promise<Refund> {
  return alone(db, async (unit) => {
    await lockStore(unit.tx, store);
    const open = await openRefund(unit.tx, id);
    if (open.refund.store.id !== store) throw new Problem('refund_unknown');
    if (open.refund.rests.length === 0) throw new Problem('refund_over');
    const { refund, journals } = await giveBack(unit, open, 'cancelled');
    await settle(unit, journals);
    return refund;
  });
}

/** Ends up to 100 refunds whose time is over, and returns their number. Altered ones are postponed, with an alarm. */
export async function dueRefunds(db: Db): Promise<number> {
  return alone(db, async (unit) => {
    const { tx } = unit;
    const refunds = await lockRefunds(tx, await lockDueRefunds(tx, GROUP));
    const altered = refunds.filter(({ isAltered }) => isAltered).map(({ id }) => id);
    if (altered.length > 0) log.alarm('refunds were changed outside the product: they do not end', { refundId: altered });
    await putOffRefunds(tx, altered, new Date(tx.now.getTime() + PUT_OFF_MS));
    const ending = refunds.filter(({ isAltered }) => !isAltered);
    const claims = Map.groupBy(
      await claimsOf(
        tx,
        ending.map(({ id }) => id),
      ),
      ({ refundId }) => refundId,
    );
    const journals: StoreJournal[] = [];
    for (const refund of ending) {
      const ended = await giveBack(unit, { refund, claims: claims.get(refund.id) ?? [] }, 'expired');
      journals.push(...ended.journals);
    }
    await settle(unit, journals);
    return refunds.length;
  });
}
