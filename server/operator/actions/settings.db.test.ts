// The desk changes a setting: preview, number of people, and setting it back.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Problem } from '@kurs/contract';
import '../../compliance/index.ts';
import '../../moneyout/index.ts';
import { type Db, settingNow } from '../../platform/index.ts';
import { testDb } from '../../platform/testing.ts';
import { authenticate, addOperator } from '../people/people.ts';
import type { Person, Role } from '../people/roles.ts';
import { changeSetting, settingView } from './settings.ts';
import { openRequests } from '../people/store.ts';

let db: Db;
let drop: () => Promise<void>;
const people: Record<string, Person> = {};
before(async () => {
  ({ db, drop } = await testDb());
  for (const [name, role] of [
    ['ann', 'operator'],
    ['bob', 'operator'],
    ['kim', 'compliance'],
  ] as [string, Role][])
    people[name] = (await authenticate(db, (await db.tx((tx) => addOperator(tx, name, role))).key)) as Person;
});
after(() => drop());

const KEY = 'moneyout.auto_usd';
const change = (name: string, input: object) =>
  changeSetting(db, people[name] as Person, { key: KEY, apply: true, reason: 'for a test', ...input } as never);
const stands = async () => (await settingNow(db, KEY)).value;
const isProblem = (code: string) => (error: unknown) => error instanceof Problem && error.code === code;

test('a change is shown first, with its bounds and how many people it takes; nothing is changed by that', async () => {
  const shown = await change('ann', { value: '600', apply: false });
  assert.deepEqual(shown, {
    status: 'preview',
    ...{ key: KEY, before: '500', after: '600', unit: 'USD', people: 2 },
    bounds: 'a figure of at most 12 digits, with up to 2 decimals',
  });
  assert.equal((await change('ann', { value: '400', apply: false })).people, 1);
  assert.equal(await stands(), '500');
});

test('one person tightens a setting, two loosen it, and an earlier version can be restored', async () => {
  assert.equal((await change('ann', { value: '100' })).status, 'done');
  assert.equal(await stands(), '100');
  assert.equal((await change('ann', { value: '200' })).status, 'awaiting_second');
  assert.equal(await stands(), '100');
  await assert.rejects(change('ann', { value: '200' }), isProblem('same_person'));
  await assert.rejects(change('bob', { value: '201' }), isProblem('request_differs'));
  assert.equal((await change('bob', { value: '200' })).status, 'done');
  const { history, value, initial } = await settingView(db, KEY);
  assert.deepEqual([value, initial], ['200', '500']);
  assert.deepEqual(
    history.map(({ value: was, by }) => [was, by]),
    [
      ['200', 'ann, bob'],
      ['100', 'ann'],
    ],
  );
  assert.equal((await change('bob', { version: history[1]?.version })).status, 'done', 'back to what is tighter: one');
  assert.equal(await stands(), '100');
  assert.equal((await change('bob', { version: 0 })).status, 'awaiting_second', 'back to what is looser: two');
});

test('a request about a value that has changed since is void', async () => {
  await change('ann', { value: '300', key: 'moneyout.auto_customer_day_usd' });
  await change('ann', { value: '50' });
  assert.equal((await change('ann', { value: '60' })).status, 'awaiting_second');
  await change('bob', { value: '10' });
  assert.equal((await change('bob', { value: '60' })).status, 'awaiting_second', 'it was a change from 50');
  assert.equal(await stands(), '10');
});

test('refuses an unknown setting, an invalid value, and input without value and version', async () => {
  const before = (await openRequests(db)).length;
  for (const input of [
    { value: '-1' },
    { value: '1e3' },
    { value: '' },
    {},
    { value: '1', version: 1 },
    { version: 77 },
    { key: 'moneyout.none', value: '1' },
  ])
    await assert.rejects(change('ann', input), isProblem('validation'), JSON.stringify(input));
  await assert.rejects(change('kim', { value: '1' }), isProblem('forbidden'));
  await assert.rejects(
    changeSetting(db, people['ann'] as Person, { key: KEY, value: '1', apply: true }),
    isProblem('validation'),
  );
  assert.equal((await openRequests(db)).length, before);
});

test('concurrent tightenings by single persons never loosen a setting', async () => {
  await change('ann', { value: '5' });
  await Promise.allSettled(['4', '1', '3', '2'].map((value) => change('ann', { value })));
  assert.equal(await stands(), '1');
});

test('compliance changes its own room’s settings, too', async () => {
  assert.equal((await change('kim', { key: 'compliance.risk_threshold', value: '30' })).status, 'done');
  assert.equal((await change('kim', { key: 'compliance.risk_threshold', value: '50' })).status, 'awaiting_second');
  assert.equal((await change('ann', { key: 'compliance.risk_threshold', value: '50' })).status, 'done');
});

test('a wrong value is refused with its bounds, a wrong name with a suggestion', async () => {
  const problemOf = async (work: Promise<unknown>) => {
    const error = await work.then(
      () => assert.fail('it was taken'),
      (thrown: unknown) => thrown,
    );
    assert.ok(error instanceof Problem);
    return error.details.errors;
  };
  assert.deepEqual(await problemOf(change('ann', { value: 'much' })), {
    value: { code: 'setting_bounds', params: { key: KEY, bounds: 'a figure of at most 12 digits, with up to 2 decimals' } },
  });
  assert.deepEqual(await problemOf(change('ann', { version: 999 })), {
    version: { code: 'setting_version', params: { key: KEY, version: '999' } },
  });
  for (const key of ['moneyout.autousd', 'moneyout.AUTO-USD', 'auto_usd'])
    assert.deepEqual(await problemOf(settingView(db, key)), { key: { code: 'setting_near', params: { key, near: KEY } } }, key);
  for (const key of ['moneyout.auto_eur', 'usd', ''])
    assert.deepEqual(await problemOf(settingView(db, key)), { key: { code: 'setting_unknown', params: { key } } }, key);
});
