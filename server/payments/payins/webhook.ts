import { createHash } from 'node:crypto';
import { type Db, type Statements, type Tx, jsonFault, log, networkBlock, newId, wake } from '../../platform/index.ts';
import type { Webhook, WebhookProof } from '../../rails/rail.ts';
import { allRails } from '../rails/registry.ts';

const LARGEST = 65_536;
/** Limits of stored messages without proof, which anybody can send. */
export interface UnprovenBounds {
  /** Maximum number of messages stored from one network (a /24 or /48) per hour. */
  readonly network: number;
  /**
   * Maximum number of stored messages from all networks. Above that, the oldest message of the network with the most messages is
   * dropped.
   */
  readonly all: number;
}
const UNPROVEN: UnprovenBounds = { network: 200, all: 5_000 };
const RETRY_HOURS = 24;

/** Answer to a provider's message. */
export interface WebhookAnswer {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

const EMPTY: WebhookAnswer = { status: 200, type: 'text/plain; charset=utf-8', body: '' };

/**
 * Receives a provider's message for a rail. The rail checks the message's proof, the message is stored, and the answer that the
 * provider expects is returned. `ip`: the sender's address. Returns `no_rail` if no rail of this name receives messages.
 */
export async function takeWebhook(
  db: Statements,
  railId: string,
  webhook: Webhook,
  ip?: string,
): Promise<WebhookAnswer | 'no_rail'> {
  const payin = allRails().find(({ id }) => id === railId)?.payin;
  if (!payin?.check) return 'no_rail';
  if (webhook.raw.length > LARGEST) return { ...EMPTY, status: 413 };
  const proof = isAmbiguous(webhook.raw) ? { isProven: false } : await payin.check(webhook);
  await receiveWebhook(db, railId, webhook, proof, ip);
  const reply = payin.reply?.(webhook, proof);
  // A forged message gets only a refusal as its answer.
  return { ...EMPTY, ...reply, status: proof.isProven ? 200 : 400 };
}

/**
 * True if a message is JSON with excessive nesting or a repeated field. The check of its proof and its handling might then read
 * different values.
 */
function isAmbiguous(raw: Uint8Array): boolean {
  const text = Buffer.from(raw).toString('utf8');
  try {
    return jsonFault(text, JSON.parse(text)) !== undefined;
  } catch {
    return false;
  }
}

/** Names of headers that are stored. They identify the sender, and never contain a session or a secret sent by mistake. */
const STORED_HEADERS = /^(content-type|user-agent|x-|paypal-)/;

/**
 * Stores a provider's message before it is answered, with or without proof. If the same bytes come again, only the number of
 * copies is stored. If one of the copies has a proof, the stored message becomes proven, even if the first copy had a wrong
 * signature. A message is only a hint: a loop polls the address, and only the rail's answer to the poll changes anything.
 * Messages with proof are always stored. Others are stored within `bounds`, counted by the network of `ip`. Returns false for a
 * message that is too large.
 */
export async function receiveWebhook(
  db: Statements,
  rail: string,
  webhook: Webhook,
  proof: WebhookProof,
  ip = '',
  bounds = UNPROVEN,
): Promise<boolean> {
  if (webhook.raw.length > LARGEST) return false;
  const { isProven, to, sent, id } = proof;
  const digest = createHash('sha256').update(webhook.raw).digest();
  const headers = Object.fromEntries(Object.entries(webhook.headers).filter(([name]) => STORED_HEADERS.test(name)));
  await db.run(
    `insert into callback (id, rail, digest, raw, headers, proven, target, sent, provider_id, network, received_at, due_at, outcome)
     select $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, clock_now(), case when $6 then clock_now() end,
       case when $6 then null else 'not_proven' end
     where $6 or $11 > (select count(*) from callback
                        where network = $10 and not proven and received_at > clock_now() - interval '1 hour')
     on conflict (rail, digest) do update set copies = callback.copies + 1,
       proven = callback.proven or excluded.proven,
       headers = case when excluded.proven then excluded.headers else callback.headers end,
       target = coalesce(callback.target, excluded.target), sent = coalesce(callback.sent, excluded.sent),
       provider_id = coalesce(callback.provider_id, excluded.provider_id),
       outcome = case when callback.proven or not excluded.proven then callback.outcome end,
       due_at = case when callback.proven or excluded.proven then clock_now() end`,
    [
      newId(),
      rail,
      digest,
      Buffer.from(webhook.raw),
      JSON.stringify(headers),
      isProven,
      to ?? null,
      sent ?? null,
      id ?? null,
      networkBlock(ip) ?? '',
      bounds.network,
    ],
  );
  if (isProven) wake('payments');
  else await makeRoom(db, bounds.all);
  return true;
}

/** If there are more than `max` messages without proof, drops the oldest one of the network that sent most of them. */
async function makeRoom(db: Statements, max: number): Promise<void> {
  await db.run(
    `with networks as (
       select network, count(*) as many, min(received_at) as oldest from callback where not proven group by network
     )
     delete from callback where not proven and $1 < (select sum(many) from networks) and id = (
       select id from callback where not proven
         and network = (select network from networks order by many desc, oldest limit 1)
       order by received_at, id limit 1)`,
    [max],
  );
}

interface WebhookRow {
  readonly id: string;
  readonly rail: string;
  readonly target: string | null;
  readonly sent: string | null;
  readonly provider_id: string | null;
  readonly is_old: boolean;
}

/**
 * Handles due webhooks: makes the addresses and sends that they name due for a poll. A message may come before our own commit, so
 * that its address or send is still unknown. Such a message is tried again for 24 hours, then given up with an alarm. Returns the
 * number handled.
 */
export async function applyWebhooks(db: Db): Promise<number> {
  return db.tx(async (tx) => {
    tx.afterCommit(() => wake('payments'));
    const due = await tx.rows<WebhookRow>(
      `select id, rail, target, sent, provider_id, received_at < $1::timestamptz - $2 * interval '1 hour' as is_old
       from callback where due_at <= $1 order by due_at limit 256 for update skip locked`,
      [tx.now, RETRY_HOURS],
    );
    if (due.length === 0) return 0;
    const known = await pollNow(tx, due);
    for (const { id, rail, is_old: isOld } of due)
      if (isOld && !known.has(id)) log.alarm('a webhook is about nothing that we know', { callbackId: id, rail });
    await tx.run(
      `update callback set tries = tries + 1, outcome = given.outcome,
         due_at = case when given.outcome is null then $3::timestamptz + least(3600, 2 ^ least(tries, 12)) * interval '1 second' end
       from unnest($1::uuid[], $2::text[]) as given (id, outcome) where callback.id = given.id`,
      [
        due.map(({ id }) => id),
        due.map(({ id, is_old: isOld }) => (known.has(id) ? 'applied' : isOld ? 'unknown' : null)),
        tx.now,
      ],
    );
    return known.size;
  });
}

/** SQL: places and sends that messages name, each locked in the order in which polls lock them, and made due at once. */
const POLL_NOW = `
  with message as (
    select * from unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::text[]) as m (id, rail, target, sent, provider_id)
  ), place as (
    select message.id, rail, found.number from message cross join lateral (
      select number from receiving_address p
      where p.rail = message.rail and lower(p.to_key) = lower(message.target) and p.to_text = message.target
      union select number from payin_request r where r.rail = message.rail and r.provider_id = message.provider_id
      offset 0
    ) as found
  ), locked_place as (
    select rail, number from receiving_address
    where owner_id is not null and (rail, number) in (select rail, number from place) order by rail, number for update
  ), due_place as (
    update receiving_address as p set due_at = least(due_at, $6), is_requested = true
    from locked_place as locked where p.rail = locked.rail and p.number = locked.number returning p.rail, p.number
  ), send as (
    select message.id, found.attempt from message cross join lateral (
      select id as attempt from payment_attempt a where a.rail = message.rail and a.reference = message.sent offset 0
    ) as found
  ), locked_send as (
    select id from payment_attempt where id in (select attempt from send) order by id for update
  ), due_send as (
    update payment_attempt as a set due_at = $6 from locked_send as locked where a.id = locked.id returning a.id
  )
  select place.id from place join due_place using (rail, number)
  union select send.id from send join due_send on due_send.id = attempt`;

/** Makes the addresses and sends of messages due at once. Returns the ids of the messages that name one. */
async function pollNow(tx: Tx, messages: readonly WebhookRow[]): Promise<ReadonlySet<string>> {
  const of = <K extends keyof WebhookRow>(name: K): WebhookRow[K][] => messages.map((message) => message[name]);
  const rows = await tx.rows<{ id: string }>(POLL_NOW, [
    ...[of('id'), of('rail'), of('target'), of('sent'), of('provider_id'), tx.now],
  ]);
  return new Set(rows.map(({ id }) => id));
}
