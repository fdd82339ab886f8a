// Checks that the rows from which money is booked are as we wrote them, and agree with each other.

import { isDeepStrictEqual } from 'node:util';
import { type Fault, type Scope, unlikeBooks } from '../../ledger/index.ts';
import { type Statements, idsOfAltered } from '../../platform/index.ts';
import type { Account } from '../../rails/rail.ts';
import { attemptsAfter, isAsStored } from '../payouts/rows/attempt-store.ts';
import { CLAIMED } from '../balances/capital-claims.ts';
import type { Owner } from '../rails/owner.ts';
import { isAsDerived, isAsRecorded, isAsWritten } from '../payins/row-macs.ts';
import { alteredRestores } from '../restored/restored-mode.ts';
import { alteredUnrecorded } from '../unrecorded/unrecorded-sends.ts';

const GROUP = 5_000;
type Arrived = Parameters<typeof isAsRecorded>[1];

/**
 * SQL: payments that a nightly proof checks. They are the cause of a journal in the proof's section, belong to an owner that is
 * such a cause, or may still change.
 */
const PAYINS_IN_SCOPE = `
  select id from payin where id = any ($1::uuid[])
  union select id from payin where owner_id = any ($1::uuid[]::text[])
  union select id from payin where status = 'seen' or missing_since is not null or status = 'reversed' and followed`;

/** Returns a fault for each payment that differs from its record: it has another owner or amount, or we didn't record it. */
async function alteredPayins(db: Statements, scope: Scope | undefined): Promise<Fault[]> {
  const ids = scope && (await idsIn(db, PAYINS_IN_SCOPE, scope));
  const altered = await idsOfAltered<ArrivedRow>(
    (behind, max) =>
      db.rows(
        `select id, rail, key, number, owner_kind as kind, owner_id as owner, currency, unit, place, parts, txid, mac from payin
         where ($1::uuid is null or id > $1) and ($3::uuid[] is null or id = any ($3)) order by id limit $2`,
        [behind ?? null, max, ids ?? null],
      ),
    ({ rail, kind, owner, number, parts, mac, ...row }) =>
      isAsRecorded(
        rail,
        {
          ...row,
          owner: { kind, id: owner },
          number: Number.parseInt(number, 10),
          parts: BigInt(parts),
        },
        mac,
      ),
    GROUP,
  );
  return altered.map((id) => ({ check: 'payin', account: `payin:${id}`, words: 'the payment is not as it was recorded' }));
}

type ArrivedRow = Omit<Arrived, 'number' | 'parts' | 'owner'> &
  Record<'id' | 'rail' | 'number' | 'parts' | 'kind' | 'owner', string> & { mac: string | null };

const idsIn = async (db: Statements, sql: string, { causes }: Scope): Promise<string[]> =>
  (await db.rows<{ id: string }>(sql, [causes])).map(({ id }) => id);

const PLACES =
  'select rail, number, currency, to_text as to, memo, to_key as key, mac from receiving_address where mac is not null';
/**
 * SQL: addresses that a nightly proof checks. They were not handed out yet (no `live_until`), belong to an owner that causes a
 * journal in the proof's section, or await a payment.
 */
const ADDRESSES_IN_SCOPE = `
  ${PLACES} and live_until is null
  union ${PLACES} and owner_id = any ($1::uuid[]::text[])
  union ${PLACES} and (is_pressing or is_requested) and due_at is not null`;

/** Returns a fault for each address that was not derived from our keys, although customers may still pay to it. */
async function alteredAddresses(db: Statements, scope: Scope | undefined): Promise<Fault[]> {
  const rows = await db.rows<{
    rail: string;
    number: string;
    currency: string;
    to: string;
    memo: string | null;
    key: string;
    mac: string | null;
  }>(
    scope ? ADDRESSES_IN_SCOPE : `${PLACES} and (live_until is null or live_until > (select clock_now()))`,
    scope ? [scope.causes] : [],
  );
  return rows
    .filter(({ number, mac, ...row }) => !isAsDerived({ ...row, number: Number.parseInt(number, 10) }, mac))
    .map(({ rail, number }) => ({
      check: 'place',
      account: `place:${rail}:${number}`,
      words: 'the receiving address is not the one that was derived',
    }));
}

/** Returns a fault for each unposted event that we didn't write. */
async function alteredEvents(db: Statements): Promise<Fault[]> {
  const rows = await db.rows<Parameters<typeof isAsWritten>[0] & { mac: string | null }>(
    'select id, kind, cause, legs, prices, mac from payment_event where posted_at is null',
  );
  return rows
    .filter((row) => !isAsWritten(row, row.mac))
    .map(({ id }) => ({ check: 'event', account: `event:${id}`, words: 'the posting to be done was not written by us' }));
}

/**
 * SQL: attempts that a nightly proof checks. They are the cause of a journal in the proof's section, carry a payout of an owner
 * that is such a cause, or are not finished.
 */
const ATTEMPTS_IN_SCOPE = `
  select id from payment_attempt where id = any ($1::uuid[])
  union select attempt_id from payout where owner_id = any ($1::uuid[]::text[]) and attempt_id is not null
  union select id from payment_attempt where status in ('stored', 'doubtful', 'sent', 'replaced')`;

/** Returns a fault for each attempt whose bytes or payouts were altered. The bytes of such an attempt are never sent again. */
async function alteredAttempts(db: Statements, scope: Scope | undefined): Promise<Fault[]> {
  const ids = scope && (await idsIn(db, ATTEMPTS_IN_SCOPE, scope));
  const altered = await idsOfAltered((behind, max) => attemptsAfter(db, { behind, max, ids }), isAsStored, GROUP);
  return altered.map((id) => ({ check: 'attempt', account: `attempt:${id}`, words: 'the send is not what was stored' }));
}

/**
 * Returns a fault for each unrecorded send or restore that SQL altered. An altered row counts as open, so payouts are stopped
 * until two people decide.
 */
async function alteredStops(db: Statements): Promise<Fault[]> {
  const [sends, restored] = [await alteredUnrecorded(db), await alteredRestores(db)];
  return [
    ...sends.map((id) => ({
      check: 'unrecorded',
      account: `unrecorded:${id}`,
      words: 'the send or its decision is not what was written',
    })),
    ...restored.map((id) => ({
      check: 'restored',
      account: `restored:${id}`,
      words: 'the restore or its end is not what was written',
    })),
  ];
}

// SQL: payouts whose status contradicts their attempts. A queued payout would be paid twice if one of its attempts has left. So
// would a final payout if its attempt is still to be sent. A payout under way without an attempt would never end.
const LOOSE = `
  select payout.id, payout.status from payout
  where status in ('queued', 'preparing') and exists (select from payment_attempt a
      where payout.id = any (a.items) and a.status in ('stored', 'doubtful', 'sent'))
     or status in ('sending', 'in_doubt', 'sent') and not exists (select from payment_attempt a where a.id = payout.attempt_id)
  union all
  select payout.id, payout.status from payment_attempt a join payout on payout.attempt_id = a.id
  where a.status = 'stored' and payout.status = 'final'`;

const OUT_ALREADY = 'a send of it is out already';
const LOOSE_WORDS: Readonly<Record<string, string>> = {
  queued: OUT_ALREADY,
  preparing: OUT_ALREADY,
  final: 'a send of it waits to go out',
};

/** Returns a fault for each payout whose status contradicts its attempts. */
async function loosePayouts(db: Statements): Promise<Fault[]> {
  const rows = await db.rows<{ id: string; status: string }>(LOOSE);
  return rows.map(({ id, status }) => ({
    check: 'payout',
    account: `payout:${id}`,
    words: `the payout is ${status}, and ${LOOSE_WORDS[status] ?? 'there is no send of it'}`,
  }));
}

/** Returns a fault for each capital claim without a journal. A claim, its journal and the journal's cause have the same id. */
async function strangeClaims(db: Statements): Promise<Fault[]> {
  const ids = (await db.rows<{ cause: string }>(CLAIMED)).map(({ cause }) => cause);
  const among = { journals: ids, causes: ids };
  const [capital, moved] = [
    await unlikeBooks(db, 'capital_in', CLAIMED, among),
    await unlikeBooks(db, 'rebalance', CLAIMED, among),
  ];
  return capital
    .filter((id) => moved.includes(id))
    .map((id) => ({ check: 'capital', account: `capital:${id}`, words: 'the claimed capital was not booked' }));
}

/** Returns the faults of the payments room's own rows. `scope`: section of the proof; absent for all rows. */
export const rowFaults = async (db: Statements, scope?: Scope): Promise<Fault[]> => [
  ...(await alteredPayins(db, scope)),
  ...(await alteredAddresses(db, scope)),
  ...(await alteredEvents(db)),
  ...(await alteredAttempts(db, scope)),
  ...(await alteredStops(db)),
  ...(await loosePayouts(db)),
  ...(await strangeClaims(db)),
];

/** A payment as its owner's row has it. */
export interface KnownPayin {
  readonly id: string;
  readonly whole: {
    readonly currency: string;
    readonly parts: bigint;
    readonly owner: string;
    readonly source: Account | undefined;
  };
  /** Words that name the owner's row, for the text of a fault. */
  readonly of: string;
}

/** Returns a fault for each payment that is named in an owner's row, but doesn't exist or differs from that row. */
export async function payinFaults(db: Statements, known: readonly KnownPayin[]): Promise<Fault[]> {
  const rows = await db.rows<{ id: string; currency: string; parts: string; owner: string; source: Account | null }>(
    'select id, currency, parts, owner_id as owner, source from payin where id = any ($1)',
    [known.map(({ id }) => id)],
  );
  const found = new Map(rows.map((row) => [row.id, row]));
  return known.flatMap(({ id, whole, of }) => {
    const row = found.get(id);
    const fault = (words: string): Fault[] => [{ check: 'payin', account: `payin:${id}`, words }];
    if (!row) return fault(`${of} is about a payment that is not there`);
    const said = { currency: row.currency, parts: BigInt(row.parts), owner: row.owner, source: row.source ?? undefined };
    return isDeepStrictEqual(said, whole) ? [] : fault(`${of} is not the payment that arrived`);
  });
}

/** Address that an owner's row tells the customer to pay to. */
export interface AddressReported {
  readonly owner: Owner;
  readonly to: string;
  /** Words that name the owner's row, for the text of a fault. */
  readonly of: string;
}

/** Returns a fault for each owner whose row tells the customer to pay to an address that was not handed out to this owner. */
export async function addressFaults(db: Statements, events: readonly AddressReported[]): Promise<Fault[]> {
  const rows = await db.rows<{ owner: string; to: string }>(
    'select owner_id as owner, to_text as to from receiving_address where owner_id = any ($1)',
    [events.map(({ owner }) => owner.id)],
  );
  const handed = new Set(rows.map(({ owner, to }) => `${owner} ${to}`));
  return events
    .filter(({ owner, to }) => !handed.has(`${owner.id} ${to}`))
    .map(({ owner, of }) => ({
      check: 'place',
      account: owner.id,
      words: `${of} is told to pay to an address that was not handed out to it`,
    }));
}
