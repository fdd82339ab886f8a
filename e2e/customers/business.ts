import { randomUUID } from 'node:crypto';
import { deskOf } from '../harness/desk.ts';
import { type System, until } from '../harness/system.ts';
import { type Signed, signUp } from './signed.ts';

/** Approves a business by its legal name, which takes two people of the desk. */
export async function approveBusiness(system: System, name: string): Promise<void> {
  for (const person of ['clara', 'karl'] as const) {
    const desk = await deskOf(system, person);
    const id = (await desk.operatorBusinesses({ q: name })).data[0]?.id ?? '';
    await desk.operatorBusinessDecide(
      { id, action: 'approve', evidence: 'an extract of the register', reason: 'a journey' },
      { idempotencyKey: randomUUID() },
    );
  }
}

/**
 * Opens an approved business with a store that is settled in a currency. Its owner needs level 2. Returns the store's id.
 */
export async function openBusinessStore(system: System, { client }: Signed, settlement: string = 'USDT_ERC20'): Promise<string> {
  const name = `Tea and Books ${randomUUID().slice(0, 8)}`;
  await client.businessApply(
    {
      ...{ legal_name: name, registration_number: '21345678', country: 'RS', address: 'Knez Mihailova 1' },
      ...{ web_sites: ['tea.example.com'], goods: 'Tea in packets', turnover_usd: 25_000 },
      owners: [{ name: 'Ann Petrovic', percent: 60 }],
    },
    { idempotencyKey: randomUUID() },
  );
  await approveBusiness(system, name);
  const store = { kind: 'business', name: 'Tea shop', invoice_currency: 'USDT', settlement_currency: settlement } as const;
  return (await client.storeMake(store, { idempotencyKey: randomUUID() })).id;
}

/** Owner of an approved business, with the id of its store. */
export interface Shop extends Signed {
  readonly store: string;
}

/** Opens an account with an approved business, and makes a store that is settled in a currency. */
export async function openShop(system: System, settlement: string): Promise<Shop> {
  const owner = await signUp(system, { level: 2 });
  return { ...owner, store: await openBusinessStore(system, owner, settlement) };
}

/** Makes an invoice of a shop, and pays it with bitcoin. Returns the invoice's id. */
export async function sell({ client, store }: Shop, amount: string): Promise<string> {
  const { id, option } = await client.invoiceMake({ store, amount, method: 'BTC' }, { idempotencyKey: randomUUID() });
  await client.sandboxPay({ currency: 'BTC', to: option?.address ?? '', amount: option?.amount ?? '' });
  return id;
}

/** Waits until an invoice of a shop has a state. */
export async function untilState({ client, store }: Shop, id: string, state: string, ms = 90_000): Promise<void> {
  await until(`the invoice to be ${state}`, ms, async () => {
    const found = await client.storeInvoice({ store, id }).catch(() => undefined);
    return found?.state === state;
  });
}
