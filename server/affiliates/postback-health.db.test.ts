// Failing postbacks: the campaign shows them, letters report them, and affiliate or desk switch them on again.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Output, Routes } from '@kurs/contract';
import { writeHolderMacs } from '../auth/testing.ts';
import { openDeliveries } from '../deliveries/index.ts';
import { queuedLetters } from '../deliveries/testing.ts';
import type { Sender } from '../exchange/index.ts';
import { type Context, type Db, advanceClock, configureLog, newId } from '../platform/index.ts';
import { refusal, testDb, testSealer } from '../platform/testing.ts';
import { referralRoutes } from '../referrals/index.ts';
import type { ReferredOrder } from './referred-order.ts';
import { reportTroubles } from './postback-letters.ts';
import {
  healthOfPostbacks,
  postbackChannel,
  putPostback,
  switchPostbackOn,
  sendPostbacks,
  troubledPostbacks,
} from './postbacks.ts';

const HOUR_MS = 3_600_000;
const ANN = newId();
const EMAIL = 'ann@example.org';
const url = 'https://shop.example/hook?c={campaign}';
const context = { user: { id: ANN, email: EMAIL } } as unknown as Context;
const sender = { name: 'Kurs', url: 'https://kurs.example' } as Sender;
let db: Db;
let drop: () => Promise<void>;
/** The answer of the address. */
let status = 200;
const handlers = () =>
  referralRoutes(db, {
    put: (tx, of) => putPostback(tx, testSealer, of),
    ...{ switchOn: switchPostbackOn, healthOf: healthOfPostbacks },
  });
before(async () => {
  ({ db, drop } = await testDb());
  configureLog({ sink: () => {} });
  await db.run(
    `insert into account_holder (id, email, email_key, email_verified_at, locale, timezone, created_at)
     values ($1, $2, $2, clock_now(), 'ru', 'Asia/Tokyo', clock_now())`,
    [ANN, EMAIL],
  );
  await writeHolderMacs(db);
});
after(() => drop());

const save = (name: string, split = 0) => handlers().affiliateCampaign({ name, split, postback: url }, context);
const stateOf = async (name: string): Promise<Output<Routes['affiliateCampaign']>['postback_state']> =>
  (await handlers().affiliateCampaigns({}, context)).campaigns.find((one) => one.name === name)?.postback_state;
const report = (campaign: string): Promise<void> =>
  db.tx((tx) =>
    sendPostbacks(tx, [{ order: { reference: newId(), affiliate: ANN, campaign, sub: '' } as ReferredOrder, state: 'placed' }]),
  );
async function deliver(): Promise<number> {
  const poster = {
    post: () => Promise.resolve({ status, latencyMs: 1, answer: `says ${status}` }),
    close: () => Promise.resolve(),
  };
  const deliveries = openDeliveries({ db, channels: [postbackChannel({ db, sealer: testSealer, poster })] });
  const taken = await deliveries.deliver();
  await deliveries.stop();
  return taken;
}
const letters = () => queuedLetters(db, { to: EMAIL, key: 'postback %' });
/** Publishes an order while the address answers 410: it is switched off, and two more orders are missed. */
async function switchOff(campaign: string): Promise<void> {
  status = 410;
  await report(campaign);
  await deliver();
  await report(campaign);
  await report(campaign);
  status = 200;
}

test('a campaign says that its postbacks fail or are off and why; without an address it says nothing', async () => {
  await handlers().affiliateCampaign({ name: 'quiet', split: 0 }, context);
  assert.equal(await stateOf('quiet'), undefined);
  assert.deepEqual((await save('blog')).postback_state, { state: 'on', missed: 0 });
  status = 500;
  await report('blog');
  await deliver();
  const failing = await stateOf('blog');
  assert.deepEqual([failing?.state, failing?.status, failing?.said], ['failing', 500, 'says 500']);
  await switchOff('blog');
  const off = await stateOf('blog');
  assert.deepEqual([off?.state, off?.reason, off?.status, off?.missed], ['off', 'gone', 410, 2]);
  assert.ok(off?.since);
});

test('saving the same address switches it on, which is no change of the day', async () => {
  const saved = await save('blog');
  assert.deepEqual([saved.postback_state?.state, saved.secret, saved.postback_state?.missed], ['on', undefined, 2]);
  assert.equal(await deliver(), 2, 'what waited; what was missed stays missed');
});

test('switching on may send what was missed, and a campaign without postbacks has nothing to switch', async () => {
  await switchOff('blog');
  const on = await handlers().affiliateCampaignOn({ name: 'blog', missed: true }, context);
  assert.deepEqual(on.postback_state, { state: 'on', missed: 0 });
  assert.equal(await deliver(), 5);
  const other = (name: string) => () => handlers().affiliateCampaignOn({ name, missed: false }, context);
  assert.deepEqual([await refusal(other('quiet')), await refusal(other('none'))], ['not_found', 'not_found']);
});

test('a letter tells of a day of failures in the time of the account, and one that they were switched off, once each', async () => {
  await db.run('delete from delivery_event');
  await save('shop');
  status = 500;
  await report('shop');
  await deliver();
  await advanceClock(db, 23 * HOUR_MS);
  await reportTroubles(db, sender);
  assert.deepEqual(await letters(), []);
  await advanceClock(db, 2 * HOUR_MS);
  await reportTroubles(db, sender);
  await reportTroubles(db, sender);
  const [failing, ...none] = await letters();
  assert.equal(none.length, 0);
  assert.match(failing?.subject ?? '', /shop не\sдоходят/);
  assert.match(failing?.text ?? '', /GMT\+9.*https:\/\/kurs\.example\/Ru\/dashboard\/affiliates/s);
  assert.ok(!failing?.text.includes('UTC') && failing?.text.includes('HTTP 500'));
  await switchOff('shop');
  await reportTroubles(db, sender);
  await reportTroubles(db, sender);
  const [, off, ...more] = await letters();
  assert.equal(more.length, 0);
  assert.match(off?.subject ?? '', /shop отключены/);
  assert.match(off?.text ?? '', /410/);
  assert.deepEqual(
    (await troubledPostbacks(db)).map(({ holderId, campaign }) => [holderId, campaign]),
    [[ANN, 'shop']],
  );
});
