// Every direction that is switched on, through the API to completion, at whatever rails it joins; then the books.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import type { Client } from '@kurs/contract/client';
import { type Accounts, freshAccounts } from './accounts.ts';
import { type Order, freshEmail, pay, reaches } from './customer.ts';
import { type System, startSystem, until } from './system.ts';

let system: System;
before(async () => {
  system = await startSystem();
});
after(() => system?.stop());

type Direction = Awaited<ReturnType<Client['directions']>>['directions'][number];

/** Orders that are on their way at once. */
const TOGETHER = 6;
/** Whose papers the desk has seen: paying from PayPal asks for them. */
const LEVEL = 2;

test('every direction that is on is open, ordered, paid and paid out; then the books are proven', async (t) => {
  const client = system.client();
  const open = await until('every direction to open', 60_000, async () => {
    const { directions } = await client.directions({});
    const switchedOn = directions.filter(({ open: isOpen, reason }) => isOpen || reason !== 'switched_off');
    return switchedOn.length > 0 && switchedOn.every(({ open: isOpen }) => isOpen) && switchedOn;
  });
  const waiting = [...open];
  const failed: string[] = [];
  const worker = async (): Promise<void> => {
    for (let direction = waiting.shift(); direction; direction = waiting.shift()) {
      const { slug } = direction;
      await complete(client, direction).catch((error: unknown) =>
        failed.push(`${slug}: ${String(error)} ${JSON.stringify(error)}`),
      );
    }
  };
  await Promise.all(Array.from({ length: TOGETHER }, worker));
  t.diagnostic(`${open.length} directions`);
  assert.deepEqual(failed, []);
  const { code, output } = await system.tool('verify.ts');
  assert.equal(code, 0, output);
});

async function complete(client: Client, direction: Direction): Promise<void> {
  const { from, to, min } = direction;
  const email = freshEmail();
  await client.sandboxLevel({ email, level: LEVEL });
  const accounts = await freshAccounts(client, direction);
  const draft = await client.step1({ from, to, amount: min });
  const key = { id: draft.id, token: draft.token as string };
  const { receive, refund } = accounts;
  await client.step2({ ...key, receive, refund, email, terms_accepted: true });
  await client.step3({ ...key, bot_token: 'sandbox' });
  const order = await client.processOrder(key, { idempotencyKey: randomUUID() });
  await pay(client, order);
  const done = await reaches(client, order, 'done', 180_000);
  await arrived(client, to, accounts, done);
}

/** The account that was to be paid has it, by the rail's own word; or the order shows what was bought. */
async function arrived(client: Client, to: string, { receiver }: Accounts, { id, get, goods }: Order): Promise<void> {
  if (receiver === '') return assert.equal(goods, 'unseen', id);
  const { amount } = await client.sandboxBalance({ currency: to, account: receiver });
  assert.equal(plain(amount), plain(get?.amount ?? ''), `${id} of ${to}`);
}

/** A decimal without zeros at its end. */
const plain = (amount: string): string => (amount.includes('.') ? amount.replace(/\.?0+$/, '') : amount);
