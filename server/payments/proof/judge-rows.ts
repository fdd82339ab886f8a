// What the rows that money is booked from say, and whether they are the ones that we wrote.

import { isDeepStrictEqual } from 'node:util';
import { type Fault, unlikeBooks } from '../../ledger/index.ts';
import type { Statements } from '../../platform/index.ts';
import type { Account } from '../../rails/rail.ts';
import { attemptsAfter, isAsStored } from '../payouts/attempt-store.ts';
import { CLAIMED } from '../balances/capital-claims.ts';
import type { Owner } from '../rails/owner.ts';
import { isAsDerived, isAsRecorded, isAsWritten } from '../payins/row-macs.ts';

const GROUP = 5_000;
type Arrived = Parameters<typeof isAsRecorded>[1];

/** Payments that are not as they were recorded: another's, another sum, or none of ours. */
async function alteredPayins(db: Statements): Promise<Fault[]> {
  const faults: Fault[] = [];
  for (let behind: string | undefined; ;) {
    const rows = await db.rows<
      Omit<Arrived, 'number' | 'parts' | 'owner'> &
        Record<'rail' | 'number' | 'parts' | 'kind' | 'owner', string> & { mac: string | null }
    >(
      `select id, rail, key, number, owner_kind as kind, owner_id as owner, currency, unit, place, parts, txid, mac from payin
       where $1::uuid is null or id > $1 order by id limit $2`,
      [behind ?? null, GROUP],
    );
    for (const { rail, kind, owner, number, parts, mac, ...row } of rows) {
      const arrived = {
        ...row,
        owner: { kind, id: owner },
        number: Number.parseInt(number, 10),
        parts: BigInt(parts),
      };
      if (!isAsRecorded(rail, arrived, mac))
        faults.push({ check: 'payin', account: `payin:${row.id}`, words: 'the payment is not as it was recorded' });
    }
    behind = rows.at(-1)?.id;
    if (rows.length < GROUP) return faults;
  }
}

/** Places that somebody may pay to, and that were not derived from our keys. */
async function alteredPlaces(db: Statements): Promise<Fault[]> {
  const rows = await db.rows<{
    rail: string;
    number: string;
    currency: string;
    to: string;
    memo: string | null;
    key: string;
    mac: string | null;
  }>(
    `select rail, number, currency, to_text as to, memo, to_key as key, mac from place
     where mac is not null and (live_until is null or live_until > clock_now())`,
  );
  return rows
    .filter(({ number, mac, ...row }) => !isAsDerived({ ...row, number: Number.parseInt(number, 10) }, mac))
    .map(({ rail, number }) => ({
      check: 'place',
      account: `place:${rail}:${number}`,
      words: 'the place is not the one that was derived',
    }));
}

/** What waits to be posted, and was not written by us. */
async function alteredEvents(db: Statements): Promise<Fault[]> {
  const rows = await db.rows<Parameters<typeof isAsWritten>[0] & { mac: string | null }>(
    'select id, kind, cause, legs, prices, mac from payment_event where posted_at is null',
  );
  return rows
    .filter((row) => !isAsWritten(row, row.mac))
    .map(({ id }) => ({ check: 'event', account: `event:${id}`, words: 'what is to be posted was not written by us' }));
}

/** Sends whose bytes, or what they are for, are not what was stored: they are never sent again. */
async function alteredAttempts(db: Statements): Promise<Fault[]> {
  const faults: Fault[] = [];
  for (let behind: string | undefined; ;) {
    const attempts = await attemptsAfter(db, behind, GROUP);
    for (const one of attempts.filter((each) => !isAsStored(each)))
      faults.push({ check: 'attempt', account: `attempt:${one.id}`, words: 'the send is not what was stored' });
    behind = attempts.at(-1)?.id;
    if (attempts.length < GROUP) return faults;
  }
}

// A payout that waits for its send while one is out would leave twice; one that is under way without a send never ends.
const LOOSE = `
  select payout.id, payout.status from payout
  where status in ('queued', 'preparing') and exists (select from payment_attempt a
      where payout.id = any (a.items) and a.status in ('stored', 'doubtful', 'sent'))
     or status in ('sending', 'in_doubt', 'sent') and not exists (select from payment_attempt a where a.id = payout.attempt_id)`;

/** Payouts whose status is not what their sends say. */
async function loosePayouts(db: Statements): Promise<Fault[]> {
  const rows = await db.rows<{ id: string; status: string }>(LOOSE);
  return rows.map(({ id, status }) => ({
    check: 'payout',
    account: `payout:${id}`,
    words:
      status === 'queued' || status === 'preparing'
        ? `the payout is ${status}, and a send of it is out already`
        : `the payout is ${status}, and there is no send of it`,
  }));
}

/** Capital that is claimed to be on its way, and that nobody has booked so. */
async function strangeClaims(db: Statements): Promise<Fault[]> {
  const [capital, moved] = [await unlikeBooks(db, 'capital_in', CLAIMED), await unlikeBooks(db, 'rebalance', CLAIMED)];
  return capital
    .filter((id) => moved.includes(id))
    .map((id) => ({ check: 'capital', account: `capital:${id}`, words: 'the capital that is claimed was not booked so' }));
}

/** What payments' own rows say that can't be. */
export const rowFaults = async (db: Statements): Promise<Fault[]> => [
  ...(await alteredPayins(db)),
  ...(await alteredPlaces(db)),
  ...(await alteredEvents(db)),
  ...(await alteredAttempts(db)),
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
  /** The row, in words. */
  readonly of: string;
}

/** Payments that owners' rows are about, and that aren't there or are others. */
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

/** Where an owner's row says that he is told to pay. */
export interface ToldPlace {
  readonly owner: Owner;
  readonly to: string;
  /** The row, in words. */
  readonly of: string;
}

/** Owners who are told to pay elsewhere than to the place that was handed out to them. */
export async function placeFaults(db: Statements, told: readonly ToldPlace[]): Promise<Fault[]> {
  const rows = await db.rows<{ owner: string; to: string }>(
    'select owner_id as owner, to_text as to from place where owner_id = any ($1)',
    [told.map(({ owner }) => owner.id)],
  );
  const handed = new Set(rows.map(({ owner, to }) => `${owner} ${to}`));
  return told
    .filter(({ owner, to }) => !handed.has(`${owner.id} ${to}`))
    .map(({ owner, of }) => ({ check: 'place', account: owner.id, words: `${of} is told to pay where no place of its own is` }));
}
