// Sends that a chain, a provider or the signer's journal knows and the books don't. While one of a rail is open, nothing is sent
// on that rail: somebody else signs with the same keys, or this database is an older copy. Two people end it.

import { Problem } from '@kurs/contract';
import { type Statements, type Tx, log, newId } from '../../platform/index.ts';
import { type UnrecordedContent, isUnrecordedAsWritten, unrecordedMac } from '../../rails/index.ts';
import { type RestoreCause, enterRestored } from '../restored/restored-mode.ts';

/** What knows of it. */
export type UnrecordedSource = 'chain' | 'provider' | 'journal';

/** `booked`: it counts as sent. `explained`: people have said what it was, and that it is no payout of these books. */
export type UnrecordedState = 'open' | 'booked' | 'explained';

/** A send as it was found. What its source doesn't tell is absent. */
export interface FoundSend {
  readonly rail: string;
  readonly source: UnrecordedSource;
  /** The transaction or transfer as its rail names it; where only a used nonce is known, that nonce as a spend. */
  readonly reference: string;
  /** What it consumed, as attempts name it: a nonce or outpoints. */
  readonly spend?: string | undefined;
  /** The nonces that it stands for, both ends included. */
  readonly nonces?: { readonly first: number; readonly last: number } | undefined;
  /** The payout that it seems to be; these books may not have it. */
  readonly payoutId?: string | undefined;
  readonly currency?: string | undefined;
  readonly parts?: bigint | undefined;
  readonly receiver?: string | undefined;
  /** When it happened, by its rail's or the journal's word. */
  readonly seenAt?: Date | undefined;
}

/** A send that the books don't know, as it is stored. */
export interface UnrecordedSend extends FoundSend {
  readonly id: string;
  readonly foundAt: Date;
  readonly state: UnrecordedState;
  readonly decidedAt?: Date;
  /** Who decided, and by which statement. */
  readonly evidence?: UnrecordedDecision;
}

/** Two people's decision. */
export interface UnrecordedDecision {
  readonly by: readonly string[];
  readonly statement: string;
}

interface Row {
  id: string;
  rail: string;
  source: UnrecordedSource;
  reference: string;
  spend: string | null;
  first_nonce: string | null;
  last_nonce: string | null;
  payout_id: string | null;
  currency: string | null;
  parts: string | null;
  receiver: string | null;
  seen_at: Date | null;
  found_at: Date;
  state: UnrecordedState;
  decided_at: Date | null;
  evidence: UnrecordedDecision | null;
  mac: string;
}

/** A row whose MAC is wrong counts as open. */
function sendOf(row: Row): UnrecordedSend {
  const { id, rail, source, reference } = row;
  const count = (text: string): number => Number.parseInt(text, 10);
  const nonces =
    row.first_nonce !== null && row.last_nonce !== null
      ? { first: count(row.first_nonce), last: count(row.last_nonce) }
      : undefined;
  return {
    ...{ id, rail, source, reference, foundAt: row.found_at, state: isUnrecordedAsWritten(row) ? row.state : 'open' },
    ...(row.spend !== null && { spend: row.spend }),
    ...(nonces && { nonces }),
    ...(row.payout_id !== null && { payoutId: row.payout_id }),
    ...(row.currency !== null && { currency: row.currency }),
    ...(row.parts !== null && { parts: BigInt(row.parts) }),
    ...(row.receiver !== null && { receiver: row.receiver }),
    ...(row.seen_at && { seenAt: row.seen_at }),
    ...(row.decided_at && { decidedAt: row.decided_at }),
    ...(row.evidence && { evidence: row.evidence }),
  };
}

/**
 * Stores sends that the books don't know; those that are stored already stay as they are. From this transaction's commit on
 * nothing is sent on their rails. One that the signer's journal knows enters restored mode. Returns the new ones.
 */
export async function noteUnrecorded(tx: Tx, found: readonly FoundSend[]): Promise<UnrecordedSend[]> {
  const fresh: UnrecordedSend[] = [];
  let isOlder = false;
  for (const send of found) {
    if (await nameNonce(tx, send)) {
      isOlder ||= send.source === 'journal';
      continue;
    }
    const id = newId();
    const [first, last] = [send.nonces?.first ?? null, send.nonces?.last ?? null];
    const content: UnrecordedContent = {
      ...{ id, rail: send.rail, reference: send.reference, state: 'open', payout_id: send.payoutId ?? null },
      ...{ first_nonce: first?.toString() ?? null, last_nonce: last?.toString() ?? null },
    };
    const row = await tx.row<Row>(
      `insert into unrecorded_send (id, rail, source, reference, spend, first_nonce, last_nonce, payout_id, currency, parts,
         receiver, seen_at, found_at, state, mac)
       select $1, $2::text, $3, $4::text, $5, $6::bigint, $7::bigint, $8::uuid, $9, $10::numeric, $11, $12::timestamptz, $13::timestamptz,
         'open', $14::uuid
       where not exists (select from unrecorded_send where rail = $2 and reference in ($4, $4 || ':0'))
       on conflict (rail, reference) do nothing returning *`,
      [
        ...[id, send.rail, send.source, send.reference, send.spend ?? null, first, last, send.payoutId ?? null],
        ...[send.currency ?? null, send.parts ?? null, send.receiver ?? null, send.seenAt ?? null, tx.now],
        unrecordedMac(content),
      ],
    );
    if (!row) continue;
    fresh.push(sendOf(row));
    isOlder ||= send.source === 'journal';
    const ids = send.payoutId === undefined ? {} : { payoutId: send.payoutId };
    log.alarm(UNRECORDED_ALARM, { rail: send.rail, reference: send.reference, source: send.source, ...ids });
  }
  // The signer's journal is written before the database: what it has and the database lacks is later than the database.
  if (isOlder) await enterRestored(tx, [OLDER_THAN_JOURNAL]);
  return fresh;
}

const OLDER_THAN_JOURNAL: RestoreCause = {
  found: 'journal',
  detail: 'The signer’s journal (keys/signed.jsonl) has sends that the database doesn’t know.',
};

/** Names the transaction of a nonce that is stored already and was shown as used alone. Returns whether there is such a row. */
async function nameNonce(tx: Tx, { rail, spend, reference, ...send }: FoundSend): Promise<boolean> {
  if (spend === undefined || spend === reference) return false;
  const row = await tx.row<Row>(
    `select * from unrecorded_send where rail = $1 and reference = $2 and state = 'open' for update`,
    [rail, spend],
  );
  if (!row || !isUnrecordedAsWritten(row)) return false;
  const payout = send.payoutId ?? row.payout_id;
  await tx.run(
    `update unrecorded_send set reference = $2, payout_id = $3, currency = $4, parts = $5, receiver = $6, seen_at = $7, mac = $8
     where id = $1`,
    [
      ...[row.id, reference, payout, send.currency ?? null, send.parts ?? null, send.receiver ?? null, send.seenAt ?? null],
      unrecordedMac({ ...row, reference, payout_id: payout }),
    ],
  );
  return true;
}

/**
 * Adds the nonces that a chain shows of a transaction to its row, which the journal found without them: the next nonce counts
 * them from then on.
 */
export async function addNonces(
  tx: Tx,
  { rail, reference, nonces }: Pick<FoundSend, 'rail' | 'reference' | 'nonces'>,
): Promise<void> {
  if (!nonces) return;
  const row = await tx.row<Row>(
    'select * from unrecorded_send where rail = $1 and reference = $2 and last_nonce is null for update',
    [rail, reference],
  );
  if (!row || !isUnrecordedAsWritten(row)) return;
  const { first, last } = nonces;
  await tx.run('update unrecorded_send set first_nonce = $2, last_nonce = $3, mac = $4 where id = $1', [
    ...[row.id, first, last],
    unrecordedMac({ ...row, first_nonce: `${first}`, last_nonce: `${last}` }),
  ]);
}

/** The words of the log's alarm; the alarm of the rail itself lasts until two people have decided. */
export const UNRECORDED_ALARM = 'something was sent that the books don’t know: nothing is sent on this rail';

/** Sends that the books don't know, the oldest first: all, or those in one state, or of one rail. */
export async function unrecordedSends(
  db: Statements,
  { state, rail, most = 1_000 }: { readonly state?: UnrecordedState; readonly rail?: string; readonly most?: number } = {},
): Promise<UnrecordedSend[]> {
  const rows = await db.rows<Row>(
    `select * from unrecorded_send where $1::text is null or rail = $1 order by found_at, id`,
    [rail ?? null],
    { name: 'payments.unrecorded_sends' },
  );
  const sends = rows.map(sendOf).filter((send) => state === undefined || send.state === state);
  return sends.slice(0, most);
}

/** One of them; undefined for an unknown id. */
export async function unrecordedSendById(db: Statements, id: string): Promise<UnrecordedSend | undefined> {
  const row = await db.row<Row>('select * from unrecorded_send where id = $1', [id]);
  return row && sendOf(row);
}

/**
 * Stores what two people have decided about a send, in the transaction that books it. `payoutId`: the payout that it was.
 * Returns the send as it stands then. Throws `not_found`, `act_not_open` where it is decided, `second_person_required` and
 * `same_person` without two people.
 */
export async function settleUnrecordedSend(
  tx: Tx,
  id: string,
  state: Exclude<UnrecordedState, 'open'>,
  decision: UnrecordedDecision & { readonly payoutId?: string },
): Promise<UnrecordedSend> {
  const [one, other] = decision.by;
  if (one === undefined || other === undefined) throw new Problem('second_person_required');
  if (one === other) throw new Problem('same_person');
  const row = await tx.row<Row>('select * from unrecorded_send where id = $1 for update', [id]);
  if (!row) throw new Problem('not_found');
  if (sendOf(row).state !== 'open') throw new Problem('act_not_open');
  const { by, statement, payoutId = row.payout_id } = decision;
  const settled = await tx.row<Row>(
    `update unrecorded_send set state = $2, decided_at = $3, evidence = $4, payout_id = $5, mac = $6 where id = $1 returning *`,
    [...[id, state, tx.now, JSON.stringify({ by, statement }), payoutId], unrecordedMac({ ...row, state, payout_id: payoutId })],
  );
  return sendOf(settled as Row);
}

/** Those of some rails on which something was sent that the books don't know, and that nobody has decided about. */
export async function railsWithUnrecorded(db: Statements, rails: readonly string[]): Promise<ReadonlySet<string>> {
  if (rails.length === 0) return new Set();
  const rows = await db.rows<Row>('select * from unrecorded_send where rail = any ($1)', [rails], {
    name: 'payments.rails_with_unrecorded',
  });
  return new Set(rows.flatMap((row) => (sendOf(row).state === 'open' ? row.rail : [])));
}
