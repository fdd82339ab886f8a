// Reverses rewards while their withdrawal waits for an operator: the withdrawal is rejected, nothing is sent, and the account
// owes the amount that was paid out before.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { freshAccounts } from '../customers/accounts.ts';
import { type Key, type Order, awaits, look, pay, reaches } from '../customers/customer.ts';
import { actAs, deskOf } from '../harness/desk.ts';
import { codeFor } from '../harness/mailbox.ts';
import { isClearing, openDirections } from '../customers/order-any.ts';
import { press } from '../harness/press.ts';
import { type System, startSystem, until } from '../harness/system.ts';
import { type Signed, signUp } from '../customers/signed.ts';

let system: System;
before(async () => {
  system = await startSystem();
});
after(() => system?.stop());

const captureOf = ({ transfers }: Order): string => transfers.find(({ kind }) => kind === 'payment')?.txid ?? '';

test('rewards of orders that are charged back can’t leave by a waiting withdrawal', async () => {
  const client = system.client();
  const set = async (key: string, value: unknown): Promise<void> => {
    for (const person of ['olga', 'oleg'] as const)
      if ((await actAs(system, person, 'settings', key, JSON.stringify(value), '--apply')) === 'done') return;
    assert.fail(key);
  };
  await set('affiliates.mature_days', { final: 7, provider: 14, reversible: 4 });
  await set('moneyout.auto_usd', '1');
  const ann = await signUp(system);
  for (const person of ['olga', 'oleg'] as const)
    await (
      await deskOf(system, person)
    ).operatorAffiliate({ email: ann.email, share: 50, reason: 'a journey' }, { idempotencyKey: randomUUID() });
  await ann.client.affiliateCampaign({ name: 'own', split: 0 });
  const { code } = await ann.client.affiliate({});
  // Three rewards together exceed the minimum withdrawal.
  const orders = [await bought(`${code}.own`), await bought(`${code}.own`), await bought(`${code}.own`)];
  await client.sandboxClock({ skip: 73 * 3_600 });
  await Promise.all(orders.map((key) => reaches(client, key, 'done')));
  await client.sandboxClock({ skip: 4 * 86_400 + 60 });
  const available = await until('the rewards', 60_000, async () => {
    const now = await ann.client.affiliate({});
    return Number(now.available) > 0 && Number(now.pending) === 0 && now.available;
  });
  const id = await withdraws(ann, available);
  const desk = await deskOf(system, 'oleg');
  const [waiting] = await desk.operatorWithdrawals({});
  assert.deepEqual([waiting?.id, waiting?.source, waiting?.people], [id, 'affiliate', 1]);
  for (const key of orders) await press(system, 'paypal', 'capture/reverse', captureOf(await look(client, key)));
  await Promise.all(orders.map((key) => reaches(client, key, 'rejected')));
  const gone = await until('the withdrawal to be turned down', 60_000, async () => {
    const { data } = await ann.client.walletWithdrawRequests({});
    return data.find((one) => one.id === id && one.status === 'rejected');
  });
  assert.equal(gone.why, 'rewards_taken_back');
  await until('the rewards to be gone', 60_000, async () => Number((await ann.client.affiliate({})).available) === 0);
  assert.equal(Number((await ann.client.affiliate({})).owed), 0, 'nothing had left');
  await assert.rejects(desk.operatorWithdrawal({ id, action: 'approve', reason: 'journey' }, { idempotencyKey: randomUUID() }), {
    code: 'order_changed',
  });
  const says = /was not sent\. Its money went back among your rewards, and the reward was taken from there/;
  await until('the letter', 20_000, async () =>
    (await client.sandboxMail({ to: ann.email })).some(({ text }) => says.test(text)),
  );
  const { output } = await system.tool('verify.ts');
  assert.match(output, /The books are right\./);
});

/** Places and pays an order by PayPal for a customer who came by a link, and waits until the payment is clearing. */
async function bought(ref: string): Promise<Key> {
  const customer = await signUp(system, { level: 2 });
  const direction = (await openDirections(system.client())).find(({ slug }) => slug === 'paypal-to-payeer-exchange');
  assert.ok(direction);
  const { receive, refund } = await freshAccounts(system.client(), direction);
  const { from, to } = direction;
  const draft = await customer.client.step1({ from, to, amount: '190', ref });
  const key = { id: draft.id, token: draft.token as string };
  await customer.client.step2({ ...key, receive, refund, email: customer.email, terms_accepted: true });
  await customer.client.step3({ ...key, bot_token: 'sandbox' });
  const { id, token } = await customer.client.processOrder(key, { idempotencyKey: randomUUID() });
  await pay(system.client(), { id, token });
  await awaits(system.client(), { id, token }, 'to clear', isClearing);
  return { id, token };
}

/** Requests a withdrawal of rewards to an Ethereum address, which waits for an operator. */
async function withdraws({ client, email }: Signed, amount: string): Promise<string> {
  const { address } = await client.sandboxAddress({ currency: 'USDT_ERC20' });
  const { confirmation = '' } = await client.walletWithdrawQuote({
    currency: 'USDT',
    rail: 'evm',
    amount,
    to: { address },
    source: 'affiliate',
  });
  await client.userEmailGetOtp({ purpose: 'money_out', about: confirmation });
  const otp = await codeFor(system, email);
  return (
    await client.userWithdrawStore({ currency: 'USDT_ERC20', amount, to: { address }, otp }, { idempotencyKey: randomUUID() })
  ).id;
}
