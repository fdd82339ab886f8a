// Unrecorded sends: a chain, a provider or the signer's journal knows them, but the books don't. Either somebody else signs with
// the same keys, or this database is an older copy. While such a send is open on a rail, nothing is sent on that rail. Two people
// decide about each send.

import { Problem } from '@kurs/contract';
import { type Statements, type Tx, log, newId } from '../../platform/index.ts';
import { type UnrecordedContent, isUnrecordedAsWritten, transactionOf, unrecordedMac } from '../../rails/index.ts';
import { type RestoreCause, enterRestored } from '../restored/restored-mode.ts';

/** Source that reported a send. */
export type UnrecordedSource = 'chain' | 'provider' | 'journal';

/**
 * State of a send. `open`: not decided · `booked`: its money was booked as sent · `explained`: people have stated its purpose,
 * and that it carried no payout of these books.
 */
export type UnrecordedState = 'open' | 'booked' | 'explained';

/** A send as its source reported it. Facts that the source doesn't report are absent. */
export interface FoundSend {
  readonly rail: string;
  readonly source: UnrecordedSource;
  /** Transaction or transfer, in the rail's own form. If only a used nonce is known: that nonce, in the form of `spend`. */
  readonly reference: string;
  /** Input that the send consumed, in the form that attempts use: a nonce or an outpoint. */
  readonly spend?: string | undefined;
  /** Range of nonces that the send used, from `first` to `last` inclusive. */
  readonly nonces?: { readonly first: number; readonly last: number } | undefined;
  /** Payout that the send seems to carry. It may be missing from these books. */
  readonly payoutId?: string | undefined;
  readonly currency?: string | undefined;
  readonly parts?: bigint | undefined;
  readonly receiver?: string | undefined;
  /** Time at which the send happened, by its rail or the signer's journal. */
  readonly seenAt?: Date | undefined;
}

/** An unrecorded send as stored. */
export interface UnrecordedSend extends FoundSend {
  readonly id: string;
  readonly foundAt: Date;
  readonly state: UnrecordedState;
  readonly decidedAt?: Date;
  /** People who decided, and their statement. */
  readonly evidence?: UnrecordedDecision;
}

/** Decision of two people about a send. `by`: their names. */
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

/**
 * Returns a send from its row. If SQL altered the row, the send counts as open, and only its id, rail, source and reference are
 * used.
 */
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
 * Stores sends that the books don't know. Sends that are stored already are not changed. After the commit, nothing is sent on the
 * rails of these sends. If a send comes from the signer's journal, restored mode is entered, too. Returns the new sends.
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
  // The signer's journal is written before the database. So if only the journal has a send, the database is an older copy.
  if (isOlder) await enterRestored(tx, [OLDER_THAN_JOURNAL]);
  return fresh;
}

const OLDER_THAN_JOURNAL: RestoreCause = {
  found: 'journal',
  detail: 'The signer’s journal (keys/signed.jsonl) has sends that the database doesn’t know.',
};

/**
 * Inserts a send as open. If a send with the same reference is stored but fails its MAC, overwrites that send. Returns undefined
 * if the send is stored already.
 */
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
  // If another process has inserted a send with this reference meanwhile, its row is not overwritten, because its id differs from
  // this new one.
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

/**
 * Adds the transaction and payment to a stored send of which only a used nonce was known. Returns false if there is no such send.
 */
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

/** Stores a send with its new MAC. */
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
 * Adds nonces to the stored send of a transaction: the signer's journal had reported the send without nonces, and a chain reports
 * them now. The wallet's next nonce is then chosen above them.
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

/** Returns the ranges of nonces that unrecorded sends of a rail have used. Ignores sends that fail their MAC. */
export async function usedNonces(db: Statements, rail: string): Promise<{ readonly first: number; readonly last: number }[]> {
  const rows = await db.rows<UnrecordedRow>('select * from unrecorded_send where rail = $1 and last_nonce is not null', [rail], {
    name: 'payments.unrecorded_nonces',
  });
  return rows.flatMap((row) => sendOf(row).nonces ?? []);
}

/** Text of the alarm in the log. The rail's stored alarm lasts until two people have decided. */
export const UNRECORDED_ALARM = 'something was sent that the books don’t know: nothing is sent on this rail';

/** Returns unrecorded sends, the oldest first, at most `max`. `state`, `rail`: only sends in that state, or on that rail. */
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

/** SQL: transaction of a send, if the transaction has several payments and each is stored as a send of its own; else null. */
const TRANSACTION = `substring(reference from '^(.+):[0-9]+$')`;

/**
 * Returns those of `names` that are references or transactions of a rail's unrecorded sends. `isDecided`: true to use only sends
 * about which people have decided. Ignores sends that fail their MAC.
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

/** Returns ids of unrecorded sends that SQL altered. */
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
 * Stores two people's decision about a send, in the transaction that books the send. `payoutId`: the payout that the send
 * carried. Returns the decided send. Throws `not_found`, `action_not_open` if the send is decided already, and
 * `second_person_required` or `same_person` without two people.
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

/** Values for the fields of a send that are not used if SQL altered the send. */
const NOTHING = {
  ...{ spend: null, first_nonce: null, last_nonce: null, payout_id: null, currency: null, parts: null, receiver: null },
  seen_at: null,
};

/** Returns those of the given rails that have an open unrecorded send. */
export async function railsWithUnrecorded(db: Statements, rails: readonly string[]): Promise<ReadonlySet<string>> {
  if (rails.length === 0) return new Set();
  const rows = await db.rows<UnrecordedRow>('select * from unrecorded_send where rail = any ($1)', [rails], {
    name: 'payments.rails_with_unrecorded',
  });
  return new Set(rows.flatMap((row) => (sendOf(row).state === 'open' ? row.rail : [])));
}
