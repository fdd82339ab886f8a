// Checks that amounts which a provider debits and credits outside of orders appear as a difference between its account and the
// ledger. Operators book the fee of a dispute, and a returned payout includes its fee.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { awaits, look, reaches } from '../customers/customer.ts';
import { actAs, deskOf } from '../harness/desk.ts';
import { isClearing, openDirections, orderAndPay } from '../customers/order-any.ts';
import { press } from '../harness/press.ts';
import { type System, startSystem, until } from '../harness/system.ts';

let system: System;
before(async () => {
  system = await startSystem();
});
after(() => system?.stop());

/** Age in seconds up to which a transfer may be in only one of both, so it explains a difference. */
const SETTLING_SECONDS = 180;
/** Ledger and rails are compared once a minute. */
const PATIENCE_MS = 130_000;

/** Waits until PayPal's account has this much more than the ledger, apart from pending transfers. */
async function untilDifference(wanted: string): Promise<void> {
  await system.client().sandboxClock({ skip: SETTLING_SECONDS });
  const desk = await deskOf(system, 'olga');
  const from = Date.parse((await system.client().sandboxClock({ skip: 1 })).now);
  let seen: string | undefined;
  await until(`PayPal to differ by ${wanted}`, PATIENCE_MS, async () => {
    const found = (await desk.operatorReserves({})).find(({ currency }) => currency === 'PAYPAL_USD');
    const { difference, at } = found?.places.find(({ place }) => place === 'hot') ?? {};
    seen = difference;
    return at !== undefined && Date.parse(at) > from && Number(difference ?? '0') === Number(wanted);
  }).catch((error: unknown) => {
    throw new Error(`${String(error)}; it is ${seen}`, { cause: error });
  });
}

test('after a chargeback with a dispute fee and a returned payout, the books equal PayPal’s account', async () => {
  const client = system.client();
  const directions = await openDirections(client);
  const of = (slug: string) => {
    const found = directions.find((one) => one.slug === slug);
    assert.ok(found);
    return found;
  };
  const [taken, paid] = await Promise.all([
    orderAndPay(system, of('paypal-to-payeer-exchange')),
    orderAndPay(system, of('payeer-to-paypal-exchange')),
  ]);
  await Promise.all([awaits(client, taken, 'to clear', isClearing), reaches(client, paid, 'done')]);

  const payment = (await look(client, taken)).transfers.find(({ kind }) => kind === 'payment')?.txid ?? '';
  await press(system, 'paypal', 'capture/reverse', payment);
  await reaches(client, taken, 'rejected');
  const payout = (await look(client, paid)).transfers.find(({ kind }) => kind === 'payout')?.txid ?? '';
  await press(system, 'paypal', 'payout/reverse', payout);
  await reaches(client, paid, 'choose');
  await press(system, 'paypal', 'capture/charge', payment);
  await untilDifference('-20');
  assert.equal(await actAs(system, 'olga', 'difference', 'PAYPAL_USD', 'hot', 'less', '20'), 'done');
  assert.equal(await actAs(system, 'olga', 'clear', 'PAYPAL_USD', '20', 'rail'), 'awaiting_second');
  assert.equal(await actAs(system, 'oleg', 'clear', 'PAYPAL_USD', '20', 'rail'), 'done');
  await untilDifference('0');
  const { code, output } = await system.tool('verify.ts');
  assert.equal(code, 0, output);
});
