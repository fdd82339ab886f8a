// Sends that a chain, a provider or the signer's journal knows and the books don't. While one is open on a rail, nothing is sent
// there: somebody else signs with the same keys, or this database is an older copy. Two people decide about it.

import { Problem } from '@kurs/contract';
import { type Statements, type Tx, log, newId } from '../../platform/index.ts';
import { type UnrecordedContent, isUnrecordedAsWritten, transactionOf, unrecordedMac } from '../../rails/index.ts';
import { type RestoreCause, enterRestored } from '../restored/restored-mode.ts';

/** Source that knows the send. */
export type UnrecordedSource = 'chain' | 'provider' | 'journal';

/** `booked`: it counts as sent. `explained`: people have said what it was, and that it carried no payout of these books. */
export type UnrecordedState = 'open' | 'booked' | 'explained';

/** A send as found. Facts that its source doesn't report are absent. */
export interface FoundSend {
  readonly rail: string;
  readonly source: UnrecordedSource;
  /** Transaction or transfer as its rail names it; if only a used nonce is known, that nonce as a spend. */
  readonly reference: string;
  /** Inputs that it consumed, as attempts name them: a nonce or outpoints. */
  readonly spend?: string | undefined;
  /** Range of nonces that the send used, both ends included. */
  readonly nonces?: { readonly first: number; readonly last: number } | undefined;
  /** Payout that it seems to carry; these books may not have it. */
  readonly payoutId?: string | undefined;
  readonly currency?: string | undefined;
  readonly parts?: bigint | undefined;
  readonly receiver?: string | undefined;
  /** Time at which it happened, by its rail or the journal. */
  readonly seenAt?: Date | undefined;
}

/** A stored send that the books don't know. */
export interface UnrecordedSend extends FoundSend {
  readonly id: string;
  readonly foundAt: Date;
  readonly state: UnrecordedState;
  readonly decidedAt?: Date;
  /** People who decided, and their statement. */
  readonly evidence?: UnrecordedDecision;
}

/** Decision of two people. */
export interface UnrecordedDecision {
  readonly by: readonly string[];
  readonly statement: string;
}

interface UnrecordedRow {
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

const count = (text: string): number => Number.parseInt(text, 10);

/** Returns a send from its row. A row that fails its MAC counts as open, and only its name is used. */
function sendOf(row: UnrecordedRow): UnrecordedSend {
  const { id, rail, source, reference } = row;
  const named = { id, rail, source, reference, foundAt: row.found_at };
  if (!isUnrecordedAsWritten(row)) return { ...named, state: 'open' };
  const nonces =
    row.first_nonce !== null && row.last_nonce !== null
      ? { first: count(row.first_nonce), last: count(row.last_nonce) }
      : undefined;
  return {
    ...{ ...named, state: row.state },
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
 * Stores sends that the books don't know; those that are stored already are unchanged. From this transaction's commit on nothing
 * is sent on their rails. A send known to the signer's journal enters restored mode. Returns the new ones.
 */
export async function noteUnrecorded(tx: Tx, found: readonly FoundSend[]): Promise<UnrecordedSend[]> {
  const fresh: UnrecordedSend[] = [];
  let isOlder = false;
  for (const send of found) {
    if (await nameNonce(tx, send)) {
      isOlder ||= send.source === 'journal';
      continue;
    }
    const row = await insertOpen(tx, send);
    if (!row) continue;
    fresh.push(sendOf(row));
    isOlder ||= send.source === 'journal';
    const ids = send.payoutId === undefined ? {} : { payoutId: send.payoutId };
    log.alarm(UNRECORDED_ALARM, { rail: send.rail, reference: send.reference, source: send.source, ...ids });
  }
  // The signer's journal is written before the database: a send that only the journal has is newer than the database.
  if (isOlder) await enterRestored(tx, [OLDER_THAN_JOURNAL]);
  return fresh;
}

const OLDER_THAN_JOURNAL: RestoreCause = {
  found: 'journal',
  detail: 'The signer’s journal (keys/signed.jsonl) has sends that the database doesn’t know.',
};

/** Inserts a send as open, or overwrites a row of its reference that fails its MAC. Undefined if it is stored already. */
async function insertOpen(tx: Tx, send: FoundSend): Promise<UnrecordedRow | undefined> {
  const { rail, source, reference, spend = null, nonces, payoutId = null, currency = null, parts, receiver = null } = send;
  const stored = await tx.rows<UnrecordedRow>('select * from unrecorded_send where rail = $1 and reference = any ($2)', [
    rail,
    [reference, `${reference}:0`],
  ]);
  if (stored.some(isUnrecordedAsWritten)) return undefined;
  const altered = stored.find((row) => row.reference === reference);
  const content: UnrecordedContent = {
    ...{ id: altered?.id ?? newId(), rail, source, reference, spend, payout_id: payoutId, currency, receiver, state: 'open' },
    ...{ first_nonce: textOf(nonces?.first), last_nonce: textOf(nonces?.last), parts: textOf(parts) },
  };
  // A new id belongs to no row yet, so only the altered row is overwritten.
  return tx.row<UnrecordedRow>(
    `insert into unrecorded_send (id, rail, source, reference, spend, first_nonce, last_nonce, payout_id, currency, parts,
       receiver, seen_at, found_at, state, mac)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, 'open', $14)
     on conflict (rail, reference) do update set source = excluded.source, spend = excluded.spend,
       first_nonce = excluded.first_nonce, last_nonce = excluded.last_nonce, payout_id = excluded.payout_id,
       currency = excluded.currency, parts = excluded.parts, receiver = excluded.receiver, seen_at = excluded.seen_at,
       found_at = excluded.found_at, state = excluded.state, decided_at = null, evidence = null, mac = excluded.mac
       where unrecorded_send.id = excluded.id
     returning *`,
    [
      ...[content.id, rail, source, reference, spend, content.first_nonce, content.last_nonce, payoutId, currency, content.parts],
      ...[receiver, send.seenAt ?? null, tx.now, unrecordedMac(content)],
    ],
  );
}

const textOf = (value: number | bigint | undefined): string | null => value?.toString() ?? null;

/** Adds the transaction to a stored send of which only a used nonce was known. Returns whether there is such a row. */
async function nameNonce(tx: Tx, { rail, spend, reference, ...send }: FoundSend): Promise<boolean> {
  if (spend === undefined || spend === reference) return false;
  const row = await tx.row<UnrecordedRow>(
    `select * from unrecorded_send where rail = $1 and reference = $2 and state = 'open' for update`,
    [rail, spend],
  );
  if (!row || !isUnrecordedAsWritten(row)) return false;
  const { payoutId = row.payout_id, currency = null, parts, receiver = null, seenAt = null } = send;
  await save(tx, { ...row, reference, payout_id: payoutId, currency, parts: textOf(parts), receiver, seen_at: seenAt });
  return true;
}

/** Stores a row with its MAC. */
async function save(tx: Tx, row: UnrecordedRow): Promise<UnrecordedSend> {
  const saved = await tx.row<UnrecordedRow>(
    `update unrecorded_send set reference = $2, spend = $3, first_nonce = $4, last_nonce = $5, payout_id = $6, currency = $7,
       parts = $8, receiver = $9, seen_at = $10, state = $11, decided_at = $12, evidence = $13, mac = $14
     where id = $1 returning *`,
    [
      ...[
        row.id,
        row.reference,
        row.spend,
        row.first_nonce,
        row.last_nonce,
        row.payout_id,
        row.currency,
        row.parts,
        row.receiver,
      ],
      ...[row.seen_at, row.state, row.decided_at, row.evidence && JSON.stringify(row.evidence), unrecordedMac(row)],
    ],
  );
  return sendOf(saved as UnrecordedRow);
}

/**
 * Adds a transaction's nonces, as a chain shows them, to its row, which the journal found without them. The next nonce is then
 * after them.
 */
export async function addNonces(
  tx: Tx,
  { rail, reference, nonces }: Pick<FoundSend, 'rail' | 'reference' | 'nonces'>,
): Promise<void> {
  if (!nonces) return;
  const row = await tx.row<UnrecordedRow>(
    'select * from unrecorded_send where rail = $1 and reference = $2 and last_nonce is null for update',
    [rail, reference],
  );
  if (!row || !isUnrecordedAsWritten(row)) return;
  await save(tx, { ...row, first_nonce: textOf(nonces.first), last_nonce: textOf(nonces.last) });
}

/** Returns ranges of nonces that unrecorded sends of a rail have used, by rows that pass their MAC. */
export async function usedNonces(db: Statements, rail: string): Promise<{ readonly first: number; readonly last: number }[]> {
  const rows = await db.rows<UnrecordedRow>('select * from unrecorded_send where rail = $1 and last_nonce is not null', [rail], {
    name: 'payments.unrecorded_nonces',
  });
  return rows.flatMap((row) => sendOf(row).nonces ?? []);
}

/** Words of the log's alarm; the alarm of the rail itself lasts until two people have decided. */
export const UNRECORDED_ALARM = 'something was sent that the books don’t know: nothing is sent on this rail';

/** Returns sends that the books don't know, the oldest first: all, or those in one state, or of one rail. */
export async function unrecordedSends(
  db: Statements,
  { state, rail, max = 1_000 }: { readonly state?: UnrecordedState; readonly rail?: string; readonly max?: number } = {},
): Promise<UnrecordedSend[]> {
  const rows = await db.rows<UnrecordedRow>(
    `select * from unrecorded_send where $1::text is null or rail = $1 order by found_at, id`,
    [rail ?? null],
    { name: 'payments.unrecorded_sends' },
  );
  const sends = rows.map(sendOf).filter((send) => state === undefined || send.state === state);
  return sends.slice(0, max);
}

/** SQL: transaction of a reference; null for the only payment of a transaction. */
const TRANSACTION = `substring(reference from '^(.+):[0-9]+$')`;

/**
 * Returns those of some names that are references or transactions of a rail's unrecorded sends; `isDecided`: only of those that
 * two people have decided about. A row that fails its MAC names nothing.
 */
export async function namesOfUnrecorded(
  db: Statements,
  rail: string,
  names: readonly string[],
  { isDecided = false } = {},
): Promise<ReadonlySet<string>> {
  const rows = await db.rows<UnrecordedRow>(
    `select * from unrecorded_send where rail = $1 and (reference = any ($2) or ${TRANSACTION} = any ($2))`,
    [rail, names],
    { name: 'payments.names_of_unrecorded' },
  );
  const known = rows.filter((row) => isUnrecordedAsWritten(row) && (!isDecided || row.state !== 'open'));
  return new Set(known.flatMap(({ reference }) => [reference, transactionOf(reference)]));
}

/** Returns ids of rows that fail their MAC: their decision or their send was altered. */
export async function alteredUnrecorded(db: Statements): Promise<string[]> {
  const rows = await db.rows<UnrecordedRow>('select * from unrecorded_send order by id');
  return rows.filter((row) => !isUnrecordedAsWritten(row)).map(({ id }) => id);
}

/** Returns an unrecorded send; undefined for an unknown id. */
export async function unrecordedSendById(db: Statements, id: string): Promise<UnrecordedSend | undefined> {
  const row = await db.row<UnrecordedRow>('select * from unrecorded_send where id = $1', [id]);
  return row && sendOf(row);
}

/**
 * Stores two people's decision about a send, in the transaction that books it. `payoutId`: the payout that it carried. Returns
 * the send after that. Throws `not_found`, `action_not_open` if it is decided, `second_person_required` and `same_person` without
 * two people.
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
  const row = await tx.row<UnrecordedRow>('select * from unrecorded_send where id = $1 for update', [id]);
  if (!row) throw new Problem('not_found');
  if (sendOf(row).state !== 'open') throw new Problem('action_not_open');
  const { by, statement, payoutId = null } = decision;
  const believed = isUnrecordedAsWritten(row) ? row : { ...row, ...NOTHING };
  const decided = { state, decided_at: tx.now, evidence: { by, statement }, payout_id: payoutId ?? believed.payout_id };
  return save(tx, { ...believed, ...decided });
}

/** Values for an altered row, of which only the name is used. */
const NOTHING = {
  ...{ spend: null, first_nonce: null, last_nonce: null, payout_id: null, currency: null, parts: null, receiver: null },
  seen_at: null,
};

/** Returns those of some rails that have an unrecorded send about which nobody has decided. */
export async function railsWithUnrecorded(db: Statements, rails: readonly string[]): Promise<ReadonlySet<string>> {
  if (rails.length === 0) return new Set();
  const rows = await db.rows<UnrecordedRow>('select * from unrecorded_send where rail = any ($1)', [rails], {
    name: 'payments.rails_with_unrecorded',
  });
  return new Set(rows.flatMap((row) => (sendOf(row).state === 'open' ? row.rail : [])));
}
