import type { Locale, Output, Routes } from '@kurs/contract';
import { levelOf } from '../../compliance/index.ts';
import type { Db, Statements } from '../../platform/index.ts';
import { settings } from '../settings.ts';
import { type Business, OWNER_LEVEL, countedState } from './business.ts';
import { businessesOf } from './business-store.ts';

/** Returns a business in the form of the API. An altered business is shown as suspended. */
export function businessView(business: Business): Output<Routes['businessApply']> {
  const { id, note, stateAt, createdAt, holderId: _holder, dayUsd: _limit, reversible: _terms, ...rest } = business;
  const { isAltered: _altered, ...application } = rest;
  return {
    ...application,
    ...{ id, state: countedState(business), since: stateAt.toISOString(), created_at: createdAt.toISOString() },
    ...(note !== '' && { note }),
  };
}

/** Returns the newest business of an account holder, the level that approval needs, and the refused countries and goods. */
export async function ownBusinessView(db: Db, holderId: string, locale: Locale): Promise<Output<Routes['business']>> {
  const [[business], level] = await Promise.all([businessesOf(db, holderId, 1), levelOf(db, holderId)]);
  return {
    ...(business && { business: businessView(business) }),
    ...{ level, level_needed: OWNER_LEVEL },
    countries_refused: [...settings.get('gate.countries_refused')],
    goods_refused: settings.get('gate.goods_refused').map((goods) => goods[locale]),
  };
}

/** Maximum number of businesses in the export of an account. */
const MAX_RECORDS = 1_000;

/** Returns the businesses of an account holder, for the export of their account. */
export const businessRecords = async (db: Statements, holderId: string): Promise<readonly Output<Routes['businessApply']>[]> =>
  (await businessesOf(db, holderId, MAX_RECORDS)).map(businessView);
