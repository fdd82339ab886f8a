import { accountId } from '../chart/account-id.ts';
import type { AccountRef } from '../chart/chart.ts';
import { journalMac } from '../chart/journal-mac.ts';
import { KINDS, type Journal, type JournalStatus } from '../chart/journal.ts';

/** The only SQL statement that writes to the ledger. 0002_ledger.sql explains its arguments. */
export const POST = {
  name: 'ledger.post',
  text: 'select statuses, refused_legs from ledger_post($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)',
};

/** The same call as `POST`, but as a statement that fails unless every journal is posted. */
export const POST_ALL = { name: 'ledger.post_all', text: `${POST.text} where all_posted(statuses, refused_legs)` };

/** Result row of `POST`. */
export type PostAnswer = { readonly statuses: number[]; readonly refused_legs: number[] };

// Names of accounts that exist, since transactions with them were committed by this process. After a restore of the database,
// such an account may be missing. Then the call fails with a serialization failure, and the retry creates the account.
const seen = new Set<string>();
const MAX_SEEN = 200_000;

/** Adds the accounts of these journals to the known accounts. Call it after the commit. */
export function remember(journals: readonly Journal[]): void {
  if (seen.size > MAX_SEEN) seen.clear();
  for (const { legs } of journals) {
    for (const { from, to } of legs) seen.add(from.name).add(to.name);
  }
}

/** Clears the known accounts, so that the next call creates missing accounts. Call it when `POST` has failed. */
export function forget(): void {
  seen.clear();
}

type Numbered = { readonly ref: AccountRef; readonly id: string; place: number };

/**
 * Returns the arguments of `POST` for journals that were checked by `assertJournal`. Arrays are written in PostgreSQL's text
 * form. The values in the arrays (uuids, digits, names of accounts) need no quoting, and the driver's general conversion would
 * be slow.
 */
export function argumentsOf(journals: readonly Journal[]): string[] {
  const { byName, byId } = number(journals);
  const journalAt: number[] = [];
  const from: number[] = [];
  const to: number[] = [];
  const amounts: bigint[] = [];
  const prices: string[] = [];
  const lastLegs: number[] = [];
  for (const { legs, prices: known } of journals) {
    const place = lastLegs.length + 1;
    for (const leg of legs) {
      journalAt.push(place);
      from.push((byName.get(leg.from.name) as Numbered).place);
      to.push((byName.get(leg.to.name) as Numbered).place);
      amounts.push(leg.parts);
      prices.push(known?.[leg.from.unit] ?? 'null');
    }
    lastLegs.push(amounts.length);
  }
  const maybeNew = byId.filter(({ ref }) => !seen.has(ref.name));
  return [
    journals.map(({ id }) => id),
    journals.map(({ kind }) => KINDS[kind]),
    journals.map(({ cause }) => cause),
    lastLegs,
    journalAt,
    from,
    to,
    amounts,
    prices,
    byId.map(({ id }) => id),
    maybeNew.map(({ id }) => id),
    maybeNew.map(({ ref }) => ref.name),
    maybeNew.map(({ ref }) => ref.unit),
    maybeNew.map(({ ref }) => ref.class),
    maybeNew.map(({ ref }) => ref.floor ?? 'null'),
    maybeNew.map(({ ref }) => ref.ceiling ?? 'null'),
    journals.map(journalMac),
  ].map((values) => `{${values.join(',')}}`);
}

/**
 * Returns the distinct accounts of journals, by name and as a list sorted by id. Each account has its position in the list,
 * counted from 1.
 */
function number(journals: readonly Journal[]): { byName: Map<string, Numbered>; byId: Numbered[] } {
  const byName = new Map<string, Numbered>();
  const add = (ref: AccountRef): void => {
    if (!byName.has(ref.name)) byName.set(ref.name, { ref, id: accountId(ref.name), place: 0 });
  };
  for (const { legs } of journals) {
    for (const { from, to } of legs) {
      add(from);
      add(to);
    }
  }
  const byId = [...byName.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
  byId.forEach((account, index) => (account.place = index + 1));
  return { byName, byId };
}

/** Returns the result of `POST` that an error of `POST_ALL` contains; undefined if `POST_ALL` failed for another reason. */
export function refusalOf(error: unknown): PostAnswer | undefined {
  const { code, detail } = error as { readonly code?: string; readonly detail?: string };
  if (code !== 'KU001' || detail === undefined) return undefined;
  const [statuses = [], refused_legs = []] = detail.split(' ').map((list) => list.split(',').map(Number));
  return { statuses, refused_legs };
}

const WORDS = ['posted', 'replayed', 'conflict', 'floor', 'ceiling'] as const;

/** Converts the result of `POST` to a status per journal. */
export function statusesOf({ statuses, refused_legs }: PostAnswer): JournalStatus[] {
  return statuses.map((code, index) => {
    const status = WORDS[code] as (typeof WORDS)[number];
    return status === 'floor' || status === 'ceiling' ? { status, leg: refused_legs[index] as number } : { status };
  });
}
