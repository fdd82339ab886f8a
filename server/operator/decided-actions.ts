// Compares affiliates' terms, verification levels, businesses and their web sites with the desk's last decisions. A row's own MAC doesn't prove
// that the row is current: somebody may write an older row back, with its MAC, by SQL.

import { isDeepStrictEqual } from 'node:util';
import { levelsSetAt } from '../compliance/index.ts';
import { type Business, type BusinessState, businessesById, sitesOfBusinesses } from '../gate/index.ts';
import { type Fault, accuse } from '../ledger/index.ts';
import type { Statements } from '../platform/index.ts';
import { type Affiliate, findAffiliates, usualAffiliate } from '../referrals/index.ts';
import { REVERSIBLE_NAME, type ReversibleTexts, reversibleTexts } from './actions/business-reversible.ts';
import { SITE_NAMES } from './actions/business-sites.ts';
import { DECISION_NAMES, LIMIT_NAME, limitText } from './actions/businesses.ts';
import { type Action, isAsRecorded } from './people/audit-seal.ts';

/**
 * Returns a fault for each affiliate's terms, each verification level, each business and each web site of one that are older
 * than the desk's last action about them.
 */
export async function olderThanDecided(db: Statements): Promise<Fault[]> {
  return [
    ...accuse('affiliate', await olderTerms(db), 'the terms are not those that the desk’s last actions gave'),
    ...accuse('level', await olderLevels(db), 'the level is older than the desk’s last action'),
    ...accuse('business', await olderBusinesses(db), 'the business is not what the desk’s last actions made of it'),
    ...accuse('site', await olderSites(db), 'a web site of the business is not what the desk’s last actions made of it'),
  ];
}

/** Returns the completed actions of some kinds, without those whose MAC is wrong, the oldest first. */
async function done(db: Statements, ...actions: readonly string[]): Promise<Action[]> {
  const rows = await db.rows<Action & { mac: string | null }>(
    `select id, at, by, action, subject, reason, outcome, body, mac from audit where action = any ($1) and outcome = 'done' order by at, xid, id`,
    [actions],
  );
  return rows.filter(isAsRecorded);
}

interface Terms {
  readonly share?: number;
  readonly split_most?: number;
  readonly suspend?: boolean;
}

async function olderTerms(db: Statements): Promise<string[]> {
  const decided = new Map<string, Terms>();
  for (const { subject, body } of await done(db, 'affiliate'))
    decided.set(subject, { ...decided.get(subject), ...(body as Terms) });
  const ids = [...decided.keys()];
  const found = await findAffiliates(db, ids);
  return ids.filter((id) => !isAs(found.get(id) ?? usualAffiliate(id), decided.get(id) ?? {}));
}

const isAs = ({ share, maxSplit: usualMaxSplit, suspendedAt }: Affiliate, decided: Terms): boolean =>
  (decided.share === undefined || decided.share === share) &&
  (decided.split_most === undefined || decided.split_most === usualMaxSplit) &&
  (decided.suspend === undefined || decided.suspend === (suspendedAt !== undefined));

async function olderLevels(db: Statements): Promise<string[]> {
  const decided = new Map<string, Date>();
  for (const { at, body } of await done(db, 'level')) {
    const { holder } = body as { readonly holder?: string };
    if (holder !== undefined) decided.set(holder, at);
  }
  const set = await levelsSetAt(db, [...decided.keys()]);
  return [...decided].filter(([holder, at]) => (set.get(holder)?.getTime() ?? 0) < at.getTime()).map(([holder]) => holder);
}

/**
 * The desk's last decision about a business, and its last changes of the day limit (in USD, or `none`) and of the reversible terms.
 */
interface Decided {
  readonly at?: Date;
  readonly state?: BusinessState;
  readonly day_usd?: string;
  readonly reversible?: ReversibleTexts;
}

async function olderBusinesses(db: Statements): Promise<string[]> {
  const decided = new Map<string, Decided>();
  for (const { action, at, subject, body } of await done(db, ...DECISION_NAMES.keys(), LIMIT_NAME, REVERSIBLE_NAME)) {
    const state = DECISION_NAMES.get(action);
    const terms = action === REVERSIBLE_NAME ? { reversible: body as ReversibleTexts } : (body as Pick<Decided, 'day_usd'>);
    decided.set(subject, { ...decided.get(subject), ...(state ? { at, state } : terms) });
  }
  const found = await businessesById(db, [...decided.keys()]);
  return [...decided].filter(([id, one]) => !isAsDecided(found.get(id), one)).map(([id]) => id);
}

const isAsDecided = (business: Business | undefined, { at, state, day_usd: sum, reversible }: Decided): boolean =>
  business !== undefined &&
  (state === undefined || (business.state === state && business.stateAt.getTime() === at?.getTime())) &&
  (sum === undefined || sum === limitText(business.dayUsd)) &&
  (reversible === undefined || isDeepStrictEqual(reversible, reversibleTexts(business.reversible)));

/** Returns the ids of businesses with a web site that is not struck, or is struck, against the desk's last decision about it. */
async function olderSites(db: Statements): Promise<string[]> {
  const decided = new Map<string, { readonly id: string; readonly origin: string; readonly isStruck: boolean }>();
  for (const { action, subject: id, body } of await done(db, ...Object.values(SITE_NAMES))) {
    const { site: origin = '' } = body as { readonly site?: string };
    decided.set(`${id} ${origin}`, { id, origin, isStruck: action === SITE_NAMES.strike });
  }
  const found = await sitesOfBusinesses(db, [...new Set([...decided.values()].map(({ id }) => id))]);
  const older = [...decided.values()].filter(({ id, origin, isStruck }) => {
    const rows = found.get(id)?.filter((site) => site.origin === origin) ?? [];
    // A struck site stays with its stores. An accepted one may be removed.
    const isMissing = isStruck && rows.length === 0;
    return isMissing || rows.some(({ struckAt }) => (struckAt !== undefined) !== isStruck);
  });
  return [...new Set(older.map(({ id }) => id))];
}
