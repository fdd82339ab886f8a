// The log of deliveries for the desk: lists deliveries and their attempts, and replays them.

import { Problem } from '@kurs/contract';
import { type PageRequest, type Statements, type Tx, beginOf, countSome, nextOf, wake } from '../platform/index.ts';
import { type StoredEvent, isAsPublished } from './delivery-macs.ts';
import { IS_OVERTAKEN } from './due.ts';

/**
 * Status of a delivery. `missed`: its endpoint was off when its event was published. `overtaken`: it failed, and a later event of
 * its thread is sent instead.
 */
export type DeliveryState = 'waiting' | 'taken' | 'given_up' | 'missed' | 'overtaken';

/** A delivery in the log, with its last attempt. */
export interface DeliveryRow {
  readonly id: string;
  readonly at: Date;
  readonly owner: string;
  readonly endpoint: string;
  readonly type: string;
  /** Thread of the event; null: none. */
  readonly thread: string | null;
  /** Receiver of a letter, or origin of a webhook's address. The rest of that address is left out, since it may be a secret. */
  readonly to: string;
  readonly state: DeliveryState;
  readonly tries: number;
  /** Time of the next attempt; null if there is none. */
  readonly next: Date | null;
  /** HTTP or SMTP status of the last attempt; null before the first attempt, or if there was no answer. */
  readonly status: number | null;
  readonly said: string | null;
}

/** Filter of the list: by owner, by endpoint, by receiver of letters, by state. */
export interface DeliveryFilter extends PageRequest {
  readonly owner?: string | undefined;
  readonly endpoint?: string | undefined;
  readonly to?: string | undefined;
  readonly state?: DeliveryState | undefined;
}

type ListedDelivery = Omit<DeliveryRow, 'to'> & {
  readonly cursor: string;
  readonly url: string;
  readonly recipient: string | null;
};

const STATE = `case when due_at is not null then 'waiting' when taken_at is not null then 'taken'
  when missed_at is not null then 'missed' when is_overtaken then 'overtaken' else 'given_up' end`;
const FROM = `
  from delivery join delivery_event on delivery_event.id = event_id join delivery_endpoint on delivery_endpoint.id = endpoint_id
  left join mail on mail.id = event_id`;
const WHERE = `
  where ($1::text is null or delivery_event.owner = $1) and ($2::text is null or lower(recipient) = lower($2))
    and ($3::text is null or ${STATE} = $3) and ($4::uuid is null or endpoint_id = $4)`;
const LAST = `
  left join lateral (
    select status, answer, error from delivery_attempt where delivery_id = delivery.id
    order by delivery_attempt.at desc, delivery_attempt.id desc limit 1
  ) as last on true`;
const LISTED = `delivery.id, delivery_event.at, delivery_event.at::text as cursor, delivery_event.owner, endpoint_id as endpoint,
  type, thread, url, recipient, ${STATE} as state, tries, due_at as next, last.status,
  case when last.status between 200 and 299 then last.answer else coalesce(last.error, last.answer) end as said`;

/** Returns a page of deliveries, the newest events first. */
export async function listDeliveries(
  db: Statements,
  request: DeliveryFilter,
): Promise<{ readonly rows: DeliveryRow[]; readonly total: number; readonly next: string | undefined }> {
  const { at, id, offset } = beginOf(request);
  const values = [request.owner ?? null, request.to ?? null, request.state ?? null, request.endpoint ?? null];
  const rows = await db.rows<ListedDelivery>(
    `select ${LISTED} ${FROM} ${LAST}
     ${WHERE} and ($5::timestamptz is null or (delivery_event.at, delivery.id) < ($5, $6::uuid))
     order by delivery_event.at desc, delivery.id desc limit $7 offset $8`,
    [...values, at, id, request.per_page, offset],
  );
  const count = await db.row<{ total: number }>(countSome(`select ${FROM} ${WHERE}`), values);
  const next = nextOf(
    rows.map((row) => ({ at: row.cursor, id: row.id })),
    request,
  );
  return { rows: rows.map(shown), total: count?.total ?? 0, next };
}

const shown = ({ url, recipient, cursor: _cursor, ...row }: ListedDelivery): DeliveryRow => ({
  ...row,
  to: recipient ?? new URL(url).origin,
});

/** Returns a delivery; undefined if there is none. */
export async function deliveryById(db: Statements, id: string): Promise<DeliveryRow | undefined> {
  const row = await db.row<ListedDelivery>(`select ${LISTED} ${FROM} ${LAST} where delivery.id = $1`, [id]);
  return row && shown(row);
}

/** Returns the published event of a delivery. Undefined if there is none, or if it was changed by SQL. */
export async function eventOfDelivery(db: Statements, id: string): Promise<StoredEvent | undefined> {
  const row = await db.row<StoredEvent & { mac: string | null }>(
    `select delivery_event.id, owner, type, body, at, mac from delivery join delivery_event on delivery_event.id = event_id
     where delivery.id = $1`,
    [id],
  );
  if (!row) return undefined;
  const { mac, ...event } = row;
  return isAsPublished(event, mac) ? event : undefined;
}

/** Returns the ids of the deliveries of an event. */
export const deliveriesOfEvent = async (db: Statements, event: string): Promise<string[]> =>
  (await db.rows<{ id: string }>('select id from delivery where event_id = $1 order by id', [event])).map(({ id }) => id);

/** A logged attempt. */
export interface Attempt {
  readonly at: Date;
  /** Status of the answer. Null if there was no answer; then `error` has the reason. */
  readonly status: number | null;
  readonly latency_ms: number;
  /** The first bytes of the answer. */
  readonly answer: string;
  readonly error: string | null;
}

/** Returns the attempts of a delivery, the oldest first. */
export async function attemptsOf(db: Statements, delivery: string): Promise<Attempt[]> {
  return db.rows<Attempt>(
    'select at, status, latency_ms, answer, error from delivery_attempt where delivery_id = $1 order by at, id',
    [delivery],
  );
}

/**
 * Makes a delivery due once more; its number of attempts starts again at zero. Returns false if there is no delivery with this
 * id. Throws `delivery_overtaken` if a later event of its thread has overtaken it.
 */
export async function replay(tx: Tx, delivery: string): Promise<boolean> {
  if (await tx.row(`select from delivery as one where id = $1 and ${IS_OVERTAKEN}`, [delivery]))
    throw new Problem('delivery_overtaken');
  const found = await tx.run(
    `update delivery set due_at = $2, tries = 0, failed = 0, is_claimed = false, replays = replays + 1,
       taken_at = null, given_up_at = null, missed_at = null where id = $1`,
    [delivery, tx.now],
  );
  tx.afterCommit(() => wake('deliveries'));
  return found > 0;
}

/** Returns the numbers of waiting letters and waiting webhooks. */
export async function waitingDeliveries(db: Statements): Promise<{ readonly mails: number; readonly webhooks: number }> {
  const row = await db.row<{ mails: number; webhooks: number }>(
    `select count(*) filter (where kind = 'mail')::int as mails, count(*) filter (where kind <> 'mail')::int as webhooks
     from delivery join delivery_endpoint on delivery_endpoint.id = endpoint_id where due_at is not null`,
    [],
    { name: 'deliveries.waiting' },
  );
  return row ?? { mails: 0, webhooks: 0 };
}
