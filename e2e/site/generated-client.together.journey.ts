// Uses a client that an external generator created from the OpenAPI document alone, as visitors and account holders do.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { type GeneratedClient, type Given, generateClient } from '../../tools/generated-client.ts';
import { SELL_BTC, freshEmail } from '../customers/customer.ts';
import { codeFor } from '../harness/mailbox.ts';
import { sharedStage } from '../harness/stage.ts';
import type { System } from '../harness/system.ts';

let system: System;
let client: GeneratedClient;
let token: string | undefined;
before(async () => {
  ({ system } = await sharedStage());
  const document = (await (await fetch(`${system.url}/api/v1/openapi.json`)).json()) as object;
  client = await generateClient(document, system.url, () => token);
});

/** Returns the data of a call, which must succeed. */
async function ask<T>(name: string, given: Given = {}): Promise<T> {
  const { data, error, response } = (await client[name]?.(given)) ?? {};
  assert.ok(response?.ok, `${name}: ${response?.status} ${JSON.stringify(error)}`);
  return data?.data as T;
}
const codeOf = async (name: string, given: Given = {}): Promise<string | undefined> => (await client[name]?.(given))?.error?.code;

test('a visitor reads prices and places an order with it', async () => {
  const { directions } = await ask<{ directions: object[] }>('directions');
  assert.ok(directions.length > 10);
  const { from, to, amount } = SELL_BTC;
  const { id, token: secret } = await ask<{ id: string; token: string }>('step1', { body: { from, to, side: 'give', amount } });
  const known = await ask<{ id: string }>('calculation', { query: { id, token: secret } });
  assert.equal(known.id, id);
  assert.equal(await codeOf('step1', { body: { from, to, side: 'give', amount: 'much' } }), 'validation');
  assert.equal(await codeOf('wallets'), 'unauthorised');
});

test('each call with an optional session recognises an account holder, and an expired session', async () => {
  const email = freshEmail();
  const { handle } = await ask<{ handle: string }>('signUpGetOtp', { body: { email, bot_token: 'sandbox' } });
  const otp = await codeFor(system, email);
  ({ access_token: token } = await ask<{ access_token: string }>('signUpConfirm', { body: { email, otp, handle } }));
  assert.equal((await ask<{ email: string }>('userInfo')).email, email);
  // An exchange from a wallet requires the holder's session. Without it the call is refused.
  const fromWallet = { from: 'BTC', to: 'USDT_ERC20', side: 'give', amount: '0.005', wallet: 'give' };
  await ask('calculate', { body: fromWallet });
  await ask('directions', { query: { wallet: 'give' } });
  await ask('step1', { body: fromWallet });
  await ask('logout');
  for (const name of ['calculate', 'step1']) assert.equal(await codeOf(name, { body: fromWallet }), 'unauthorised', name);
  for (const name of ['directions', 'userInfo', 'logout']) assert.equal(await codeOf(name), 'unauthorised', name);
  token = undefined;
  await ask('directions');
  assert.equal(await codeOf('step1', { body: fromWallet }), 'unauthorised');
});
