import { createHash } from 'node:crypto';
import { type Db, type Statements, jsonFault, log, networkBlock, newId, wake } from '../../platform/index.ts';
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
  readonly tries: number;
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
      `select id, rail, target, sent, provider_id, tries, received_at < $1::timestamptz - $2 * interval '1 hour' as is_old
       from callback where due_at <= $1 order by due_at limit 256 for update skip locked`,
      [tx.now, RETRY_HOURS],
    );
    let applied = 0;
    for (const { id, rail, tries, is_old: isOld, ...about } of due) {
      const known = await pollNow(tx, rail, about, tx.now);
      const outcome = known > 0 ? 'applied' : isOld ? 'unknown' : null;
      if (outcome === 'applied') applied += 1;
      if (outcome === 'unknown') log.alarm('a webhook is about nothing that we know', { callbackId: id, rail });
      await tx.run(
        `update callback set tries = tries + 1, outcome = $2,
           due_at = case when $2::text is null then $3::timestamptz + least(3600, 2 ^ least($4::int, 12)) * interval '1 second' end
         where id = $1`,
        [id, outcome, tx.now, tries],
      );
    }
    return applied;
  });
}

/** Makes the address or send of a message due at once. Returns the number of addresses and sends found. */
async function pollNow(
  tx: Statements,
  rail: string,
  { target, sent, provider_id: providerId }: Pick<WebhookRow, 'target' | 'sent' | 'provider_id'>,
  now: Date,
): Promise<number> {
  const places = await tx.run(
    `update receiving_address set due_at = least(due_at, $3), is_requested = true
     where rail = $1 and owner_id is not null and number in (
       select number from receiving_address p where p.rail = $1 and lower(p.to_key) = lower($2) and p.to_text = $2
       union all select number from payin_request r where r.rail = $1 and r.provider_id = $4)`,
    [rail, target, now, providerId],
  );
  const sends =
    sent === null
      ? 0
      : await tx.run(`update payment_attempt set due_at = $3 where rail = $1 and reference = $2`, [rail, sent, now]);
  return places + sends;
}
