// One person stops, two people start again; the one who stopped may start alone for a while, with a code.

import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { Problem } from '@kurs/contract';
import { codeShown } from '../../auth/testing.ts';
import { stoppedPurposes, sendingRails } from '../../payments/index.ts';
import { type Context, type Db, type SettingsWatch, advanceClock, watchSettings } from '../../platform/index.ts';
import { refusal, testDb, testSealer } from '../../platform/testing.ts';
import '../owners.testing.ts';
import { deskSessionRoutes } from '../people/desk-sessions.ts';
import { addPerson } from '../people/person.testing.ts';
import type { Person } from '../people/roles.ts';
import { openRequests } from '../people/store.ts';
import { setPayouts } from './switches.ts';
import { start, stop, stopsView } from './stops.ts';

let db: Db;
let drop: () => Promise<void>;
let settings: SettingsWatch;
let [ann, bob] = [{}, {}] as [Person, Person];
let secret: Buffer;
let alarmSince: Date | undefined;
const reason = 'something is wrong';

before(async () => {
  ({ db, drop } = await testDb());
  settings = await watchSettings(db);
  [ann, bob] = [await addPerson(db, 'ann'), await addPerson(db, 'bob')];
  const sessions = deskSessionRoutes({ db, mode: 'live', name: 'Kurs', sealer: testSealer });
  const context = { operator: ann, ip: '203.0.113.7' } as unknown as Context;
  const made = await sessions.deskFactorBegin({}, context);
  secret = bytesOf(made.secret);
  await sessions.deskFactorEnable({ code: codeShown(secret, -1) }, context);
});
after(async () => {
  await settings.stop();
  await drop();
});
beforeEach(async () => {
  alarmSince = undefined;
  await db.run('update operator_factor set last_step = 0');
});

function bytesOf(text: string): Buffer {
  const bits = [...text]
    .map((letter) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'))
    .join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}

/** Returns the field at which a call is refused, and the reason. */
const fieldRefusal = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => 'done',
    (error: unknown) =>
      error instanceof Problem
        ? Object.entries(error.details.errors ?? {})
            .map(([field, said]) => `${field}: ${(said as { code: string }).code}`)
            .join()
        : error,
  );

const deps = () => ({
  db,
  sealer: testSealer,
  hasAlarmSince: async (_tx: unknown, since: Date) => alarmSince !== undefined && alarmSince > since,
});
const startAs = (person: Person, what: string, code?: string) => start(deps(), person, { what, reason, ...(code && { code }) });
const what = async (): Promise<string[]> => (await stopsView(db)).map((one) => one.what);
/** Starts everything again, by two people. */
async function startAll(): Promise<void> {
  await startAs(ann, 'all');
  await startAs(bob, 'all');
  assert.deepEqual(await what(), []);
}

test('one person stops orders, deposits, invoices, payouts or all; it is read at once, and shown with who stopped it', async () => {
  for (const [name, stopped] of [
    ['orders', ['orders']],
    ['deposits', ['deposits', 'orders']],
    ['invoices', ['deposits', 'invoices', 'orders']],
    ['payouts', ['deposits', 'invoices', 'orders', 'payouts']],
  ] as const) {
    const answer = await stop(db, ann, { what: name, reason });
    assert.deepEqual([answer.status, answer.stopped.map((one) => one.what)], ['done', stopped]);
  }
  assert.deepEqual(
    (await stopsView(db)).map(({ by }) => by),
    ['ann', 'ann', 'ann', 'ann'],
  );
  await settings.refresh();
  assert.deepEqual(stoppedPurposes(), ['deposits', 'invoices', 'orders']);
  assert.equal((await sendingRails(db, ['bitcoin'])).size, 0);
  await startAll();
  assert.equal((await sendingRails(db, ['bitcoin'])).size, 1);
  await stop(db, ann, { what: 'all', reason });
  assert.deepEqual(await what(), ['deposits', 'invoices', 'orders', 'payouts']);
  assert.equal(await fieldRefusal(stop(db, ann, { what: 'everything', reason })), 'what: wrong_value');
  await startAll();
});

test('two people start again; a request from before a later stop is void', async () => {
  await stop(db, ann, { what: 'orders', reason });
  assert.equal((await startAs(ann, 'orders')).status, 'awaiting_second');
  assert.equal(await refusal(() => startAs(ann, 'orders')), 'same_person');
  await stop(db, bob, { what: 'orders', reason });
  assert.equal((await startAs(bob, 'orders')).status, 'awaiting_second', 'ann’s word is void');
  assert.deepEqual(await what(), ['orders']);
  assert.equal((await startAs(ann, 'orders')).status, 'done');
  assert.deepEqual([await what(), await openRequests(db)], [[], []]);
});

test('the one who stopped may start alone with a code within a quarter of an hour, if nobody else stopped and no alarm opened', async () => {
  await stop(db, ann, { what: 'orders', reason });
  assert.equal(await refusal(() => startAs(ann, 'orders', '000000')), 'two_factor_wrong');
  assert.deepEqual(await what(), ['orders']);
  const code = codeShown(secret);
  assert.equal((await startAs(ann, 'orders', code)).status, 'done');
  assert.deepEqual(await what(), []);

  await stop(db, ann, { what: 'payouts', reason });
  assert.equal(await refusal(() => startAs(ann, 'payouts', code)), 'two_factor_wrong', 'the same code once more');
  await db.run('update operator_factor set last_step = 0');
  alarmSince = new Date((await db.now()).getTime() + 1_000);
  assert.equal(await fieldRefusal(startAs(ann, 'payouts', codeShown(secret))), 'code: alarm_since_stop');
  alarmSince = undefined;
  assert.equal(await fieldRefusal(startAs(bob, 'payouts', '123456')), 'code: stopped_by_other');
  await stop(db, bob, { what: 'payouts', reason });
  assert.equal(await fieldRefusal(startAs(ann, 'payouts', codeShown(secret))), 'code: stopped_by_other', 'bob has, too');
  await startAll();
  assert.equal(await fieldRefusal(startAs(ann, 'payouts', codeShown(secret))), 'code: nothing_stopped');

  await stop(db, ann, { what: 'deposits', reason });
  await stop(db, bob, { what: 'orders', reason });
  assert.equal((await startAs(ann, 'deposits', codeShown(secret))).status, 'done', 'what bob stopped is another thing');
  assert.deepEqual(await what(), ['orders']);
  await stop(db, ann, { what: 'deposits', reason });
  await advanceClock(db, 14 * 60_000);
  await stop(db, ann, { what: 'deposits', reason });
  await advanceClock(db, 2 * 60_000);
  assert.equal(
    await fieldRefusal(startAs(ann, 'deposits', codeShown(secret))),
    'code: stopped_long_ago',
    'the first stop counts',
  );
  await startAll();
});

test('the switch of all payouts is the same stop', async () => {
  await setPayouts(db, ann, { on: false, reason });
  assert.deepEqual(await what(), ['payouts']);
  await setPayouts(db, ann, { on: true, reason });
  assert.equal((await setPayouts(db, bob, { on: true, reason })).on, true);
  assert.deepEqual(await what(), []);
});
