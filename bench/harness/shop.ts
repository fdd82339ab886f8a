// A store of an approved business in a running system, with API keys that make invoices. The bench measures no applications.

import { randomUUID } from 'node:crypto';
import { makeApiKey } from '../../server/auth/index.ts';
import { approvedFor, storeFor } from '../../server/gate/testing.ts';
import type { System } from '../../e2e/harness/system.ts';
import type { Shot } from './caller.ts';
import { addHolders, openSystemDb } from './holders.ts';

export interface Shop {
  /** Returns a request that makes an invoice of 25 USD by the key of this number. `more`: further fields of the call. */
  sale(key: number, more?: object): Required<Shot>;
}

/** Opens the store, with so many keys. */
export async function openShop(system: System, keys: number): Promise<Shop> {
  const db = await openSystemDb(system);
  try {
    const [owner] = await db.tx((tx) => addHolders(tx, 1));
    if (!owner) throw new Error('there is no owner');
    const { id: businessId } = await approvedFor(db, owner.id);
    const store = await storeFor(db, owner.id, businessId, { settlementCurrency: 'USDT_ERC20' });
    const bound = { on: { kind: 'store', id: store.id }, madeBy: owner.id, isTest: false };
    const made = await db.tx(async (tx) => {
      const all: string[] = [];
      for (let at = 0; at < keys; at += 1) {
        const request = { name: `bench ${at}`, networks: [], days: 1, scopes: ['invoices.create'] as const };
        all.push((await makeApiKey(tx, { holderId: owner.id, mode: 'sandbox', bound }, request)).key);
      }
      return all;
    });
    return {
      sale: (key, more = {}) => ({
        method: 'POST',
        path: `/api/v1/store/${store.id}/invoices/make`,
        headers: {
          ...{ 'client-id': 'web', 'content-type': 'application/json', 'idempotency-key': randomUUID() },
          authorization: `Bearer ${made[key % keys]}`,
        },
        body: JSON.stringify({ amount: '25.00', currency: 'USD', order_id: randomUUID(), ...more }),
      }),
    };
  } finally {
    await db.close();
  }
}

/** Makes an invoice with a payment option in bitcoin, and returns the path of its page without a language. */
export async function openPayPage(system: System): Promise<string> {
  const { path, ...request } = (await openShop(system, 1)).sale(0, { method: 'BTC' });
  const answer = await fetch(system.url + path, request);
  if (!answer.ok) throw new Error(`no invoice: ${await answer.text()}`);
  const { data } = (await answer.json()) as { data: { id: string } };
  return `/pay/${data.id}`;
}
