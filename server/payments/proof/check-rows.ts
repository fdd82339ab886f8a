// Checks that the rows that money is booked from are the ones that we wrote, and agree with each other.

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
 * SQL: payments that a night checks: those that its journals are about, or whose owners they are about, and those that may still
 * change.
 */
const PAYINS_IN_SCOPE = `
  select id from payin where id = any ($1::uuid[])
  union select id from payin where owner_id = any ($1::uuid[]::text[])
  union select id from payin where status = 'seen' or missing_since is not null or status = 'reversed' and followed`;

/** Returns faults of payments that are not as they were recorded: another owner's, another amount, or not ours. */
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
 * SQL: addresses that a night checks: those without an end, those of owners that its journals are about, and those that await a
 * payment.
 */
const ADDRESSES_IN_SCOPE = `
  ${PLACES} and live_until is null
  union ${PLACES} and owner_id = any ($1::uuid[]::text[])
  union ${PLACES} and (is_pressing or is_requested) and due_at is not null`;

/** Returns faults of addresses that somebody may pay to, and that were not derived from our keys. */
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

/** Returns faults of postings to be done that we didn't write. */
async function alteredEvents(db: Statements): Promise<Fault[]> {
  const rows = await db.rows<Parameters<typeof isAsWritten>[0] & { mac: string | null }>(
    'select id, kind, cause, legs, prices, mac from payment_event where posted_at is null',
  );
  return rows
    .filter((row) => !isAsWritten(row, row.mac))
    .map(({ id }) => ({ check: 'event', account: `event:${id}`, words: 'the posting to be done was not written by us' }));
}

/** SQL: sends that a night checks: those that its journals are about, or whose owners they are about, and open ones. */
const ATTEMPTS_IN_SCOPE = `
  select id from payment_attempt where id = any ($1::uuid[])
  union select attempt_id from payout where owner_id = any ($1::uuid[]::text[]) and attempt_id is not null
  union select id from payment_attempt where status in ('stored', 'doubtful', 'sent', 'replaced')`;

/** Returns faults of sends whose bytes or payouts were altered: they are never sent again. */
async function alteredAttempts(db: Statements, scope: Scope | undefined): Promise<Fault[]> {
  const ids = scope && (await idsIn(db, ATTEMPTS_IN_SCOPE, scope));
  const altered = await idsOfAltered((behind, max) => attemptsAfter(db, { behind, max, ids }), isAsStored, GROUP);
  return altered.map((id) => ({ check: 'attempt', account: `attempt:${id}`, words: 'the send is not what was stored' }));
}

/** Returns faults of altered unrecorded sends and restores: either stops payouts until two people decide. */
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

// SQL: payouts whose status contradicts their sends. A waiting payout with a send that is out would leave twice, and so would a
// finished one whose send waits. A payout under way without a send never ends.
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

/** Returns faults of payouts whose status contradicts their sends. */
async function loosePayouts(db: Statements): Promise<Fault[]> {
  const rows = await db.rows<{ id: string; status: string }>(LOOSE);
  return rows.map(({ id, status }) => ({
    check: 'payout',
    account: `payout:${id}`,
    words: `the payout is ${status}, and ${LOOSE_WORDS[status] ?? 'there is no send of it'}`,
  }));
}

/** Returns faults of claimed capital that nobody has booked. (A claim, its journal and the journal's cause have one id.) */
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

/** Returns faults of payments' own rows; within a scope, if there is one. */
export const rowFaults = async (db: Statements, scope?: Scope): Promise<Fault[]> => [
  ...(await alteredPayins(db, scope)),
  ...(await alteredAddresses(db, scope)),
  ...(await alteredEvents(db)),
  ...(await alteredAttempts(db, scope)),
  ...(await alteredStops(db)),
  ...(await loosePayouts(db)),
  ...(await strangeClaims(db)),
];

/** A payment as its owner's row describes it. */
export interface KnownPayin {
  readonly id: string;
  readonly whole: {
    readonly currency: string;
    readonly parts: bigint;
    readonly owner: string;
    readonly source: Account | undefined;
  };
  /** Name of the row, in words. */
  readonly of: string;
}

/** Returns faults of payments in owners' rows that don't exist or differ. */
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

/** Address that an owner's row tells its customer to pay to. */
export interface AddressReported {
  readonly owner: Owner;
  readonly to: string;
  /** Name of the row, in words. */
  readonly of: string;
}

/** Returns faults of owners whose customers are told to pay to another address than the one handed out to the owner. */
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
