// The desk's decisions about businesses: approval, refusal, suspension, closing, and the limit of a day.

import { type Input, type Output, Problem, type Routes, fieldProblem } from '@kurs/contract';
import { format, money } from '@kurs/money';
import { holderById, holderIdsLike, holdersById, keysOn, membersOf } from '../../auth/index.ts';
import { levelOf, levelsOf } from '../../compliance/index.ts';
import {
  type Business,
  type BusinessAction,
  type BusinessState,
  type StoreOfBusiness,
  DECISIONS,
  type LetterSender,
  asResource,
  businessPage,
  businessView,
  businessById,
  countedState,
  dayLimitOf,
  debtsOfBusiness,
  decide,
  figuresOfBusinesses,
  generalDayLimit,
  lockBusiness,
  requireDecidable,
  requireEmpty,
  requireLimitable,
  setDayLimit,
  storesOfBusinesses,
} from '../../gate/index.ts';
import { type Db, type Statements, listMeta } from '../../platform/index.ts';
import type { Person } from '../people/roles.ts';
import { auditPage } from '../people/store.ts';
import { type Acted, type Wanted, actAs } from '../people/two-people.ts';
import type { Paged } from '../views.ts';
import { reversibleView } from './business-reversible.ts';
import { newSitesOf, siteRows } from './business-sites.ts';
import { centsOf } from './usd-cents.ts';

type BusinessesInput = Input<Routes['operatorBusinesses']>;
type BusinessRow = Output<Routes['operatorBusinesses']>[number];
type Shown = Output<Routes['operatorBusiness']>;

/** Returns a page of businesses, with their owners, the number of their stores, and new web sites. */
export async function businessesView(db: Db, input: BusinessesInput): Promise<Paged<BusinessRow[]>> {
  const text = input.q === '' ? undefined : input.q;
  const holderIds = text === undefined ? [] : await holderIdsLike(db, text);
  const hasNewSites = input.new_sites === 'yes';
  const { businesses, total, next } = await businessPage(db, { ...input, text, holderIds, hasNewSites });
  const owners = businesses.map(({ holderId }) => holderId);
  const ids = businesses.map(({ id }) => id);
  const [holders, levels, stores, sites, figures] = await Promise.all([
    holdersById(db, owners),
    levelsOf(db, owners),
    storesOfBusinesses(db, ids),
    newSitesOf(db, ids),
    figuresOfBusinesses(db, ids),
  ]);
  const data = businesses.map((one, at) => ({
    ...{ id: one.id, legal_name: one.legal_name, country: one.country, state: countedState(one) },
    since: one.stateAt.toISOString(),
    owner: holders.get(one.holderId)?.email ?? '',
    owner_level: levels[at] ?? 0,
    stores: stores.get(one.id)?.length ?? 0,
    new_sites: sites.get(one.id) ?? [],
    settled_usd: format(money('USD', figures.get(one.id)?.settledUsd ?? 0n)),
    refunded_usd: format(money('USD', figures.get(one.id)?.refundedUsd ?? 0n)),
    reversed_usd: format(money('USD', figures.get(one.id)?.reversedUsd ?? 0n)),
    flagged: figures.get(one.id)?.flagged ?? 0,
  }));
  return { data, meta: listMeta(input, total, { rows: data.length, next }) };
}

/** Returns a business with its owner, limit, stores, added or struck web sites, and history. Throws `not_found`. */
export async function businessForDesk(db: Db, id: string): Promise<Shown> {
  const business = await businessById(db, id);
  if (!business) throw new Problem('not_found');
  const [owner, level, stores, sites, history, debts] = await Promise.all([
    holderById(db, business.holderId),
    levelOf(db, business.holderId),
    storesOfBusinesses(db, [id]),
    siteRows(db, id),
    historyOf(db, business),
    debtsOfBusiness(db, id),
  ]);
  return {
    ...businessView(business),
    ...{ owner: owner?.email ?? '', owner_level: level },
    day_usd: format(money('USD', dayLimitOf(business))),
    day_usd_own: business.dayUsd !== undefined,
    reversible: reversibleView(business),
    owes: debts.map(({ unit, parts }) => ({ amount: format(money(unit, parts)), currency: unit })),
    stores: await Promise.all((stores.get(id) ?? []).map((store) => storeRow(db, store))),
    sites,
    history: [{ at: business.createdAt.toISOString(), state: 'applied', by: owner?.email ?? '', reason: '' }, ...history],
  };
}

/** Returns a store's row, with the numbers of its members and of its valid API keys. */
async function storeRow(db: Statements, store: StoreOfBusiness): Promise<Shown['stores'][number]> {
  const { id, kind, name, createdAt } = store;
  const on = asResource(store);
  const [members, keys] = await Promise.all([membersOf(db, on), keysOn(db, on)]);
  return { id, kind, name, created_at: createdAt.toISOString(), members: members.length, keys: keys.length };
}

/** Returns the name of a decision in the audit. */
const nameOf = (action: BusinessAction): string => `business_${action}`;
/** The state to which each decision leads, by the decision's name in the audit. */
export const DECISION_NAMES: ReadonlyMap<string, BusinessState> = new Map(
  Object.entries(DECISIONS).map(([action, { to }]) => [nameOf(action as BusinessAction), to]),
);
/** Name of a change of the day limit in the audit. */
export const LIMIT_NAME = 'business_limit';
/** Returns a business's own day limit in USD, as the audit has it; `none` if the limit of all businesses holds. */
export const limitText = (dayUsd: bigint | undefined): string => (dayUsd === undefined ? 'none' : format(money('USD', dayUsd)));
const MAX_HISTORY = 100;

/** Returns the decisions about a business, the oldest first. A decision of two people names both. */
async function historyOf(db: Statements, { id }: Business): Promise<Shown['history']> {
  const { rows } = await auditPage(db, { subject: id, page: 1, per_page: MAX_HISTORY });
  const first = new Map<string, string>();
  const history: Shown['history'] = [];
  for (const { at, by, action, reason, outcome } of rows.toReversed()) {
    const state = DECISION_NAMES.get(action);
    if (outcome === 'asked') first.set(action, by);
    if (!state || outcome !== 'done') continue;
    history.push({ at: at.toISOString(), state, by: [first.get(action) ?? [], by].flat().join(', '), reason });
    first.delete(action);
  }
  return history;
}

/**
 * Approves, refuses, suspends, resumes or closes a business. Throws `not_found`, `validation` at `evidence` if the action needs
 * evidence, and the errors of `requireDecidable`, `requireEmpty` and `actAs`.
 */
export async function decideBusiness(
  { db, sender }: { readonly db: Db; readonly sender: LetterSender },
  person: Person,
  { id, action, evidence, note = '', reason }: Input<Routes['operatorBusinessDecide']>,
  key?: string,
): Promise<Output<Routes['operatorBusinessDecide']>> {
  const { people } = DECISIONS[action];
  if (people === 2 && evidence === undefined) throw fieldProblem('evidence', 'required');
  return db.tx(async (tx) => {
    let business = await lockBusiness(tx, id);
    if (!business) throw new Problem('not_found');
    const found = business;
    const wanted: Wanted = {
      ...{ action: nameOf(action), subject: id, reason, permission: 'businesses.judge', people, key },
      // A request is bound to the business's present state: after another decision it is void.
      about: `${found.state} ${found.stateAt.toISOString()}`,
      body: { evidence, note },
      // Checked for both people: meanwhile the owner's level may have been lowered.
      async check() {
        await requireDecidable(tx, found, action);
        if (action === 'close') await requireEmpty(tx, id);
      },
    };
    const acted = await actAs(tx, person, wanted, async () => {
      business = await decide(tx, sender, found, { action, note });
    });
    return { ...acted, state: countedState(business) };
  });
}

/**
 * Sets what a business may settle in 24 hours, or lets the limit of all businesses hold for it. A higher limit takes two people.
 * Throws `not_found`, `validation` at `day_usd`, and the errors of `requireLimitable` and `actAs`.
 */
export async function limitBusiness(
  db: Db,
  person: Person,
  { id, day_usd: sum, reason }: Input<Routes['operatorBusinessLimit']>,
  key?: string,
): Promise<Acted> {
  const dayUsd = sum === undefined ? undefined : centsOf('day_usd', sum);
  return db.tx(async (tx) => {
    const business = await lockBusiness(tx, id);
    if (!business) throw new Problem('not_found');
    const wanted: Wanted = {
      ...{ action: LIMIT_NAME, subject: id, reason, permission: 'businesses.judge', key },
      people: (dayUsd ?? generalDayLimit()) > dayLimitOf(business) ? 2 : 1,
      about: `limit ${business.dayUsd ?? `of all, ${generalDayLimit()}`}`,
      body: { day_usd: limitText(dayUsd) },
      check: () => requireLimitable(business),
    };
    return actAs(tx, person, wanted, () => setDayLimit(tx, business, dayUsd));
  });
}
