// The stores in a seed's world. One is settled in USDT and one in bitcoin; in the second the store bears spread and costs, and a
// hundredth of an invoice may be missing.

import { writeHolderMacs } from '../../auth/testing.ts';
import { setLevel } from '../../compliance/index.ts';
import { type Store, approvedFor, storeFor } from '../../gate/testing.ts';
import type { Db } from '../../platform/index.ts';

/** Owner of the stores. */
export const MERCHANT = { id: '01900000-0000-7000-8000-00000000c001', email: 'merchant@example.org' };

/** Opens an account with an approved business, and its stores. */
export async function openStores(db: Db): Promise<Store[]> {
  const { id, email } = MERCHANT;
  await db.run(
    `insert into account_holder (id, email, email_key, email_verified_at, locale, created_at)
     values ($1, $2, $2, clock_now(), 'en', clock_now())`,
    [id, email],
  );
  await writeHolderMacs(db);
  await db.tx((tx) => setLevel(tx, id, 3, 'simulation'));
  const business = await approvedFor(db, id);
  return [
    await storeFor(db, id, business.id, { name: 'maps', settlementCurrency: 'USDT_ERC20', tolerance: 0 }),
    await storeFor(db, id, business.id, { name: 'books', settlementCurrency: 'BTC', tolerance: 100, costsBearer: 'store' }),
  ];
}
