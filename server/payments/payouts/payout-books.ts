// What payments posts of a payout, in the transaction in which it happens: that its money left custody, that it was not sent,
// that it came back. The intent, and its reverse where the owner stops it, are the owner's decisions, and posted by the owner.

import { type Journal, post } from '../../ledger/index.ts';
import { type Statements, type Tx, log, newId, outbox } from '../../platform/index.ts';
import { PAYOUT_EVENT, type PayoutBody, type PayoutEvent } from '../rails/event-bodies.ts';
import { type Owner, idsOf } from '../rails/owner.ts';
import { currencyOf } from '../rails/registry.ts';
import { type Values, pricesOf } from '../rails/values.ts';
import { isAsNamed } from './rows/payout-accounts.ts';
import { happeningOf, payoutLegs } from './rows/payout-legs.ts';
import type { Payout, PayoutChange } from './machine/payout.ts';
import type { PayoutStatus } from './machine/payout-machine.ts';
import { returnedOf } from './machine/returned-sends.ts';

/**
 * The journals of what happened to payouts. A payout whose books were changed behind our back posts nothing, with an alarm: its
 * money stays where it is, and the proof of the books accuses that.
 */
export function journalsOf(values: Values, changes: readonly PayoutChange[]): Journal[] {
  return changes.flatMap(({ payout, events }) =>
    events.flatMap(({ event, extra = {} }): Journal[] => {
      const posting = postingOf(payout, event, extra);
      if (!posting || posting.legs.length === 0) return [];
      if (payout.books && !isAsNamed(payout.id, payout.books, payout.booksMac ?? null)) {
        log.alarm('the accounts that a payout was asked for with were changed: nothing is posted', {
          ...{ rail: currencyOf(payout.currency)?.rail, currency: payout.currency, ...idsOf([payout]), event },
        });
        return [];
      }
      return [{ id: newId(), ...posting, prices: pricesOf(values, [payout.unit]) }];
    }),
  );
}

/** A payout of an earlier version that is under way: whose it is, and what it waits for. */
export interface PayoutBefore {
  readonly id: string;
  readonly owner: Owner;
  readonly currency: string;
  /** Its state; `untold` where it has ended and its owner was not told yet. */
  readonly waits: PayoutStatus | 'untold';
}

/**
 * Payouts of an earlier version that are under way, oldest first: nobody named their accounts, and nothing could be posted of
 * what becomes of them. So is one whose owner was not told yet what became of it: that owner was to post it. Can be asked of a
 * database whose payouts have no books at all yet, or which has no payouts.
 */
export async function payoutsBefore(db: Statements): Promise<PayoutBefore[]> {
  const table = await db.row<{ is: boolean }>(`select to_regclass('payout') is not null as is`);
  if (!table?.is) return [];
  const bodies = (await outbox.undeliveredBeforeUpgrade(db, PAYOUT_EVENT)) as readonly PayoutBody[];
  const untold = bodies.filter(({ event }) => happeningOf(event) !== undefined).map(({ intentId }) => intentId);
  const rows = await db.rows<{ id: string; kind: string; owner: string; currency: string; waits: PayoutBefore['waits'] }>(
    `with asked as (
       select id, true as is_open from payout where status in ('queued', 'preparing', 'sending', 'in_doubt')
       union all
       select p.id, true from payment_attempt a join payout p on p.attempt_id = a.id and p.status in ('sent', 'final')
       where a.due_at is not null
       union all
       select told.id, false from unnest($1::uuid[]) as told (id)
     )
     select id, owner_kind as kind, owner_id as owner, currency, case when is_open then status else 'untold' end as waits
     from (select id, bool_or(is_open) as is_open from asked group by id) as one join payout p using (id)
     where to_jsonb(p) ->> 'books' is null order by created_at, id`,
    [untold],
  );
  return rows.map(({ kind, owner: id, ...row }) => ({ ...row, owner: { kind, id } }));
}

/**
 * Posts what happened to payouts; the last thing that its transaction does. Throws where the ledger refuses: nothing happened
 * then.
 */
export async function postPayouts(tx: Tx, journals: readonly Journal[]): Promise<void> {
  if (journals.length === 0) return;
  const refused = (await post(tx, journals)).findIndex(({ status }) => status !== 'posted');
  if (refused >= 0) throw new Error(`The ledger refused a payout’s journal: ${journals[refused]?.cause}`);
}

function postingOf(payout: Payout, event: PayoutEvent, extra: Partial<PayoutBody>): Omit<Journal, 'id'> | undefined {
  const { parts, books } = payout;
  const happening = happeningOf(event);
  if (!books || !happening) return undefined;
  const legs = payoutLegs(happening, { ...payout, books }, returnedOf(extra, parts));
  return { kind: books.kinds[happening], cause: books.cause, legs };
}
