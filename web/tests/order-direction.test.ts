// The page of an unallocated payment without a direction: its customer names a currency and an account, without scripts as well.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createClient } from '@kurs/contract/client';
import en from '../locales/en-US.json' with { type: 'json' };
import { type Answers, refusal, withAnswers } from '../testing/gate/answers.ts';
import { sceneOf } from '../testing/scenes.ts';
import { stubSite } from '../testing/serve.ts';

const ID = 'KX-FREE-0000';
const PATH = `/En/order?id=${ID}&token=c3R1Yi10b2tlbi1mb3ItdGVzdHMtb25seS0wMDAx`;
const clock = (): Date => new Date();

/** Requests the page; with `form`, posts that form. Calls are recorded in `made`. */
async function show(form?: Record<string, string>, answers: Answers = {}, made: [string, unknown][] = []) {
  const known = withAnswers(clock, answers);
  const client = createClient(async (call) => {
    made.push([call.name, call.input]);
    return known(call);
  });
  const site = await stubSite({ url: 'https://kurs.test', client });
  return site.handle({
    ...{ method: form ? 'POST' : 'GET', url: PATH, cookies: {} },
    headers: { host: 'kurs.test', 'sec-fetch-site': 'same-origin' },
    ...(form && { body: new URLSearchParams(form).toString() }),
  });
}

const named = { choice: 'name_direction', to: 'USDT_ERC20' };

test('offers currencies first, and asks for the account of the chosen one', async () => {
  assert.ok(sceneOf(ID, clock())?.choices.some(({ currencies }) => currencies?.includes(named.to)));
  const { status, body } = await show();
  assert.equal(status, 200);
  assert.match(body, /<select[^>]* name="to"/);
  assert.match(body, /<option value="USDT_ERC20"/);
  assert.ok(body.includes(en.choice_name_direction_next) && body.split('name="account.address"').length === 2);
  const chosen = await show({ ...named, intent: 'direction' });
  assert.equal(chosen.status, 200);
  assert.match(chosen.body, /<option value="USDT_ERC20" selected=""/);
  assert.equal(chosen.body.split('name="account.address"').length, 3, 'one for the refund, one for the exchange');
});

test('asks for the mailed code, and sends currency and account with it', async () => {
  const filled = { ...named, 'account.address': '0x71C7656EC7ab88b098defB751B7401B5f6d8976F' };
  const coded = await show({ ...filled, intent: 'code' });
  assert.match(coded.body, /name="otp"/);
  assert.match(coded.body, /type="hidden" name="to" value="USDT_ERC20"/);
  const made: [string, unknown][] = [];
  const taken = await show(
    { ...filled, intent: 'choose', otp: '123456', handle: 'h' },
    { orderChoose: () => sceneOf(ID, clock()) },
    made,
  );
  assert.equal(taken.status, 303);
  const [, given] = made.find(([name]) => name === 'orderChoose') ?? assert.fail('it was not sent');
  const { to, account } = given as { to: string; account: object };
  assert.deepEqual([to, account], ['USDT_ERC20', { address: filled['account.address'] }]);
});

test('says beside the list that a currency can’t be had now', async () => {
  const refuse: Answers = {
    orderChoose: () => {
      throw refusal({ to: ['Choose another currency'] });
    },
  };
  const { status, body } = await show({ ...named, intent: 'choose', otp: '123456', handle: 'h' }, refuse);
  assert.equal(status, 422);
  assert.match(body, /<select[^>]* aria-invalid="true"/);
  assert.ok(body.includes('Choose another currency'));
});
