// Terms of methods whose payments can be taken back for months, while they are switched on for a business.

import type { Statements } from '../../platform/index.ts';
import type { Business } from './business.ts';
import { businessById } from './business-store.ts';
import { NOT_REVERSIBLE, type ReversibleBounds, boundsOf } from './reversible.ts';

/** Returns the bounds of a business that hold now; undefined if such methods are off for it, or its row was changed by SQL. */
export function boundsNow(business: Business | undefined): ReversibleBounds | undefined {
  const bounds = business && !business.isAltered && business.state !== 'closed' ? boundsOf(business.reversible) : undefined;
  return bounds?.isOn === true ? bounds : undefined;
}

/** Like `boundsNow`, for the business with an id. */
export const openBounds = async (db: Statements, id: string | undefined): Promise<ReversibleBounds | undefined> =>
  boundsNow(await businessById(db, id));

/** Returns the bounds of a business to show when its receipts leave the reserve: the usual ones if its row was changed by SQL. */
export async function shownBounds(db: Statements, id: string): Promise<ReversibleBounds> {
  const business = await businessById(db, id);
  return boundsOf(business && !business.isAltered ? business.reversible : NOT_REVERSIBLE);
}
