// MACs of businesses. A business whose row was changed by SQL counts as suspended, until people put the row right.

import { isMac, macOf, steady } from '../../platform/index.ts';
import type { Business } from './business.ts';
import { isUsual } from './reversible.ts';

/** Content of a business's row, without its MAC. */
export type BusinessRow = Omit<Business, 'isAltered'>;

/** The text under a business's MAC: all of its row. */
function contentOf(one: BusinessRow): string {
  const { id, holderId, state, stateAt, note, dayUsd, createdAt } = one;
  const { legal_name: name, registration_number: number, country, address, web_sites: sites, goods } = one;
  const { turnover_usd: turnover, owners, reversible } = one;
  return steady([
    ...[id, holderId, state, stateAt, note, dayUsd, createdAt],
    ...[name, number, country, address, sites, goods, turnover, owners],
    ...(isUsual(reversible) ? [] : [reversible]),
  ]);
}

/** Returns the MAC to store with a business. */
export const macOfBusiness = (row: BusinessRow): string => macOf('business', contentOf(row));

/** True if a business's row differs from what we stored. */
export const isBusinessAltered = (row: BusinessRow, mac: string | null): boolean => !isMac('business', contentOf(row), mac);
