import { type AccountRef, type Journal, type JournalKind, type Leg, post } from '../../ledger/index.ts';
import { type Db, type Tx, log, newId, wake } from '../../platform/index.ts';
import { eventMac, isAsWritten } from './row-macs.ts';
import { type Values, pricesOf } from '../rails/values.ts';

/** A posting of the payments room itself. Stored in the transaction of its cause; a loop posts it exactly once. */
export interface PaymentEvent {
  readonly kind: JournalKind;
  /** Id of the row that causes the posting: an attempt or a payment. */
  readonly cause: string;
  readonly legs: readonly Leg[];
  readonly detail?: Readonly<Record<string, unknown>>;
}

interface StoredLeg {
  readonly from: StoredAccount;
  readonly to: StoredAccount;
  readonly parts: string;
}
/** A ledger account as stored in JSON. The bounds of its balance are stored as text. */
export type StoredAccount = Omit<AccountRef, 'floor' | 'ceiling'> & {
  readonly floor: string | null;
  readonly ceiling: string | null;
};

/** Converts an account to its stored form. */
export const storedAccount = (ref: AccountRef): StoredAccount => ({
  ...ref,
  floor: ref.floor?.toString() ?? null,
  ceiling: ref.ceiling?.toString() ?? null,
});
const bound = (text: string | null): bigint | null => (text === null ? null : BigInt(text));
/** Converts a stored account back. */
export const accountOf = (one: StoredAccount): AccountRef => ({
  ...one,
  floor: bound(one.floor),
  ceiling: bound(one.ceiling),
});

/** Stores events. A loop posts their journals to the ledger within a second. Returns their ids. */
export async function recordEvents(tx: Tx, values: Values, events: readonly PaymentEvent[]): Promise<string[]> {
  const ids = events.map(() => newId());
  if (events.length === 0) return ids;
  const legs = events.map((event) =>
    event.legs.map((leg): StoredLeg => ({
      from: storedAccount(leg.from),
      to: storedAccount(leg.to),
      parts: leg.parts.toString(),
    })),
  );
  const prices = events.map((event) =>
    pricesOf(
      values,
      event.legs.map((leg) => leg.from.unit),
    ),
  );
  const macs = events.map(({ kind, cause }, at) =>
    eventMac({ id: ids[at] as string, kind, cause, legs: legs[at] ?? [], prices: prices[at] ?? {} }),
  );
  await tx.run(
    `insert into payment_event (id, kind, cause, legs, prices, detail, mac, at, due_at)
     select *, $8, $8 from unnest($1::uuid[], $2::text[], $3::uuid[], $4::jsonb[], $5::jsonb[], $6::jsonb[], $7::uuid[])`,
    [
      ids,
      events.map(({ kind }) => kind),
      events.map(({ cause }) => cause),
      legs.map((list) => JSON.stringify(list)),
      prices.map((given) => JSON.stringify(given)),
      events.map(({ detail }) => JSON.stringify(detail ?? {})),
      macs,
      tx.now,
    ],
    { name: 'payments.record_events' },
  );
  tx.afterCommit(() => wake('payments'));
  return ids;
}

interface EventRow {
  readonly id: string;
  readonly kind: JournalKind;
  readonly cause: string;
  readonly legs: readonly StoredLeg[];
  readonly prices: Readonly<Record<string, string>>;
  readonly tries: number;
  readonly mac: string | null;
}

function journalOf({ id, kind, cause, legs, prices }: EventRow): Journal {
  return {
    id,
    kind,
    cause,
    prices,
    legs: legs.map((leg) => ({ from: accountOf(leg.from), to: accountOf(leg.to), parts: BigInt(leg.parts) })),
  };
}

const GROUP = 256;

/**
 * Posts due events in the order in which they were stored. Returns the number posted. An event's id is its journal's id, so the
 * ledger never posts an event twice: after a crash before the second transaction, the ledger recognises the repetition. An event
 * is tried again with growing pauses, and raises an alarm, if it fails its MAC or a bound of an account's balance refuses it. One
 * such event is a fee whose money is not booked yet.
 */
export async function postEvents(db: Db): Promise<number> {
  const { rows, statuses } = await db.tx(async (tx) => {
    const due = await tx.rows<EventRow>(
      `select id, kind, cause, legs, prices, tries, mac from payment_event
       where posted_at is null and due_at <= $1 order by id limit $2 for update skip locked`,
      [tx.now, GROUP],
      { name: 'payments.due_events' },
    );
    const ours = due.filter((row) => isAsWritten(row, row.mac));
    const posted = ours.length > 0 ? await post(tx, ours.map(journalOf)) : [];
    const reported = new Map(ours.map(({ id }, at) => [id, posted[at]?.status]));
    return { rows: due, statuses: due.map(({ id }) => reported.get(id) ?? 'not_ours') };
  });
  if (rows.length === 0) return 0;
  const done = statuses.map((status) => status === 'posted' || status === 'replayed');
  await db.run(
    `update payment_event set posted_at = case when given.done then (select clock_now()) end,
       tries = tries + 1, last_error = given.error,
       due_at = case when given.done then null else (select clock_now()) + least(300, 2 ^ least(tries, 9)) * interval '1 second' end
     from unnest($1::uuid[], $2::boolean[], $3::text[]) as given (id, done, error) where payment_event.id = given.id`,
    [rows.map(({ id }) => id), done, statuses.map((status, at) => (done[at] ? null : status))],
    { name: 'payments.mark_events' },
  );
  rows.forEach(({ id, kind, tries }, at) => {
    if (!done[at]) log.alarm('payment event could not be posted', { event: id, kind, tries: tries + 1, reason: statuses[at] });
  });
  return done.filter(Boolean).length;
}
