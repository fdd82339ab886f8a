// The log of deliveries for the desk: lists deliveries and their attempts, and replays them.

import { Problem } from '@kurs/contract';
import { type PageRequest, type Statements, type Tx, beginOf, countSome, nextOf, wake } from '../platform/index.ts';
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
  readonly type: string;
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

/** Filter of the list: by owner, by receiver of letters, by state. */
export interface DeliveryFilter extends PageRequest {
  readonly owner?: string | undefined;
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
    and ($3::text is null or ${STATE} = $3)`;

/** Returns a page of deliveries, the newest events first. */
export async function listDeliveries(
  db: Statements,
  request: DeliveryFilter,
): Promise<{ readonly rows: DeliveryRow[]; readonly total: number; readonly next: string | undefined }> {
  const { at, id, offset } = beginOf(request);
  const values = [request.owner ?? null, request.to ?? null, request.state ?? null];
  const rows = await db.rows<ListedDelivery>(
    `select delivery.id, delivery_event.at, delivery_event.at::text as cursor, delivery_event.owner, type, url, recipient,
       ${STATE} as state, tries, due_at as next, last.status,
       case when last.status between 200 and 299 then last.answer else coalesce(last.error, last.answer) end as said
     ${FROM} left join lateral (
       select status, answer, error from delivery_attempt where delivery_id = delivery.id
       order by delivery_attempt.at desc, delivery_attempt.id desc limit 1
     ) as last on true
     ${WHERE} and ($4::timestamptz is null or (delivery_event.at, delivery.id) < ($4, $5::uuid))
     order by delivery_event.at desc, delivery.id desc limit $6 offset $7`,
    [...values, at, id, request.per_page, offset],
  );
  const count = await db.row<{ total: number }>(countSome(`select ${FROM} ${WHERE}`), values);
  const next = nextOf(
    rows.map((row) => ({ at: row.cursor, id: row.id })),
    request,
  );
  return { rows: rows.map(shown), total: count?.total ?? 0, next };
}

const shown = ({ id, at, owner, type, url, recipient, state, tries, next, status, said }: ListedDelivery): DeliveryRow => ({
  ...{ id, at, owner, type, to: recipient ?? new URL(url).origin, state },
  ...{ tries, next, status, said },
});

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
