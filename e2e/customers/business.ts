import { randomUUID } from 'node:crypto';
import { deskOf } from '../harness/desk.ts';
import { type System, until } from '../harness/system.ts';
import { type Signed, signUp } from './signed.ts';

/** Owner of an approved business, with the id of its store. */
export interface Shop extends Signed {
  readonly store: string;
}

/** Opens an account with an approved business, and makes a store that is settled in a currency. */
export async function openShop(system: System, settlement: string): Promise<Shop> {
  const owner = await signUp(system, { level: 2 });
  const { client } = owner;
  const key = () => ({ idempotencyKey: randomUUID() });
  const { id } = await client.businessApply(
    {
      ...{ legal_name: `Tea ${randomUUID().slice(0, 8)}`, registration_number: '21345678', country: 'RS' },
      ...{ address: 'Knez Mihailova 1\n11000 Belgrade', web_sites: ['tea.example.com'], goods: 'Tea in packets' },
      ...{ turnover_usd: 25_000, owners: [{ name: 'Ann Petrovic', percent: 60 }] },
    },
    key(),
  );
  for (const person of ['clara', 'karl'] as const) {
    const desk = await deskOf(system, person);
    const decision = { id, action: 'approve', evidence: 'an extract of the register', reason: 'a journey' } as const;
    await desk.operatorBusinessDecide(decision, key());
  }
  const store = { kind: 'business', name: 'Tea shop', invoice_currency: 'USDT', settlement_currency: settlement } as const;
  return { ...owner, store: (await client.storeMake(store, key())).id };
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
