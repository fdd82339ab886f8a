// Applications and businesses for tests.

import assert from 'node:assert/strict';
import type { Db } from '../../platform/index.ts';
import { apply } from './apply.ts';
import type { Application, Business } from './business.ts';
import { lockBusiness } from './business-store.ts';
import { decide } from './decide.ts';

/** Sender of letters in tests. */
export const SENDER = { name: 'Kurs', url: 'https://kurs.example' };

/** A usual application. */
export const APPLICATION: Application = {
  legal_name: 'Example Shop Ltd',
  registration_number: 'HRB 12345',
  country: 'DE',
  address: 'Hauptstraße 1\n10115 Berlin',
  web_sites: ['https://shop.example.com'],
  goods: 'Books and maps',
  turnover_usd: 20_000,
  owners: [{ name: 'Ann Example', percent: 60 }],
};

/** Applies for a business in an account holder's name. `more`: fields that differ from a usual application. */
export const applyFor = (db: Db, holderId: string, more: Partial<Application> = {}): Promise<Business> =>
  apply(db, SENDER, holderId, { ...APPLICATION, ...more });

/** Applies for a business and approves it, without people of the desk. */
export async function approvedFor(db: Db, holderId: string): Promise<Business> {
  const { id } = await applyFor(db, holderId);
  return db.tx(async (tx) => {
    const business = (await lockBusiness(tx, id)) ?? assert.fail('the business is missing');
    return decide(tx, SENDER, business, { action: 'approve', note: '' });
  });
}
