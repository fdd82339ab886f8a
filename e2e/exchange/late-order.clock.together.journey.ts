// An order that takes longer than it was promised earns a coupon of its fee, which comes with the letter that it is done, and is
// used on a second order.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, test } from 'node:test';
import { SELL_BTC, awaits, freshEmail, look, pay, place, reaches } from '../customers/customer.ts';
import { deskOf } from '../harness/desk.ts';
import { sharedStage } from '../harness/stage.ts';
import { type System, until } from '../harness/system.ts';

let system: System;
before(async () => {
  ({ system } = await sharedStage());
});

/** Switches the payouts of USDT on Ethereum; on takes two people. */
async function switchPayouts(on: boolean): Promise<void> {
  for (const person of on ? (['olga', 'oleg'] as const) : (['olga'] as const)) {
    const desk = await deskOf(system, person);
    await desk.operatorPayouts({ rail: 'evm', on, reason: 'a journey' }, { idempotencyKey: randomUUID() });
  }
}

test('a late order’s coupon comes with its letter and is used on a second order', async () => {
  const client = system.client();
  const email = freshEmail();
  const { order } = await place(client, { ...SELL_BTC, email });
  await switchPayouts(false);
  await pay(client, order);
  await reaches(client, order, 'paying');
  await client.sandboxClock({ skip: (order.promised_minutes ?? 0) * 60 + 120 });
  await switchPayouts(true);
  await reaches(client, order, 'done');
  const code = await until('the letter with the coupon', 20_000, async () => {
    const letters = await client.sandboxMail({ to: email });
    return letters.map(({ text }) => /coupon: ([0-9A-Z]{10}) takes/.exec(text)?.[1]).find((found) => found !== undefined);
  });

  const { order: second } = await place(client, { ...SELL_BTC, email, coupon: code });
  await pay(client, second);
  await awaits(client, second, 'is done', ({ status }) => status === 'done');
  const { discounts } = await look(client, second);
  assert.deepEqual(discounts?.map((line) => line.code), ['late']); // prettier-ignore
});
