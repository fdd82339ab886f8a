// Changes an account's e-mail address across rooms.

import { moveCustomer } from '../compliance/index.ts';
import { moveCoupons } from '../coupons/index.ts';
import { moveTurnover } from '../loyalty/index.ts';
import type { Tx } from '../platform/index.ts';
import { moveBinding } from '../referrals/index.ts';

/**
 * Moves all data that rooms store by an e-mail address to the new address. Limits come first: their keys must be locked before
 * coupons, as when an order is placed.
 */
export async function moveAddress(tx: Tx, addresses: { readonly from: string; readonly to: string }): Promise<void> {
  await moveCustomer(tx, addresses);
  await moveTurnover(tx, addresses);
  await moveBinding(tx, addresses);
  await moveCoupons(tx, addresses);
}
