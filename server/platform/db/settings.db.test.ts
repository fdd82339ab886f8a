import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Problem } from '@kurs/contract';
import { z } from 'zod';
import { openDb, type Db } from './db.ts';
import { configureLog } from '../base/log.ts';
import { macOf, steady } from '../secrets/macs.ts';
import { alteredSettings } from './setting-macs.ts';
import { defineSettings, listSettings, putSetting, watchSettings } from './settings.ts';
import { carryWakes } from './wakes.ts';
import { testDb, type TestDb } from '../testing.ts';

let own: TestDb;
let db: Db;
const lines: string[] = [];
before(async () => {
  own = await testDb();
  db = own.db;
  configureLog({ sink: (text) => void lines.push(text) });
});
after(() => own.drop());

const settings = defineSettings('kitchen', {
  'kitchen.minutes': { schema: z.int().min(1), initial: 15, words: 'minutes a pot stays on', looser: 'none' },
  'kitchen.share': { schema: z.string(), initial: '0.5', words: 'part of the pot', looser: 'none' },
});

test('a setting has its default until a value is put, and each put is history', async () => {
  assert.equal(settings.get('kitchen.minutes'), 15);
  assert.equal(await settings.read(db, 'kitchen.minutes'), 15);
  await db.tx((tx) => settings.put(tx, 'kitchen.minutes', 20, 'anna'));
  await db.tx((tx) => settings.put(tx, 'kitchen.minutes', 25, 'boris'));
  assert.equal(await settings.read(db, 'kitchen.minutes'), 25);
  const history = await db.rows('select value, by, version from setting_history order by version');
  assert.deepEqual(history, [
    { value: 20, by: 'anna', version: '1' },
    { value: 25, by: 'boris', version: '2' },
  ]);
});

test('the snapshot follows changes of other processes within half a second, and own changes at once', async () => {
  const wakes = carryWakes(own.url, 'here');
  const watch = await watchSettings(db);
  const elsewhere = openDb({ url: own.url, name: 'elsewhere' });
  assert.equal(settings.get('kitchen.minutes'), 25);
  // Written as another process or a person with SQL would: a trigger of the database notifies.
  const mac = macOf('setting', steady(['kitchen.minutes', '3', 30]));
  await elsewhere.run(`update setting set value = '30', version = 3, mac = $1 where key = 'kitchen.minutes'`, [mac]);
  await elsewhere.run(`insert into setting_history select version, key, value, by, at, mac from setting`);
  await sleep(650);
  assert.equal(settings.get('kitchen.minutes'), 30);
  await db.tx((tx) => settings.put(tx, 'kitchen.minutes', 35, 'anna'));
  await sleep(100);
  assert.equal(settings.get('kitchen.minutes'), 35);
  assert.deepEqual(
    listSettings().filter(({ key }) => key === 'kitchen.minutes'),
    [{ key: 'kitchen.minutes', words: 'minutes a pot stays on', initial: 15, value: 35 }],
  );
  await elsewhere.close();
  await watch.stop();
  await wakes.stop();
});

test('a value the schema refuses is a problem and changes nothing', async () => {
  const isValidation = (error: unknown) => error instanceof Problem && error.code === 'validation';
  await assert.rejects(
    db.tx((tx) => putSetting(tx, 'kitchen.minutes', 0, 'anna')),
    isValidation,
  );
  await assert.rejects(
    db.tx((tx) => putSetting(tx, 'kitchen.unknown', 1, 'anna')),
    isValidation,
  );
  assert.equal(await settings.read(db, 'kitchen.minutes'), 35);
});

test('a stored value that is no longer valid falls back to the default, with an alarm', async () => {
  const mac = macOf('setting', steady(['kitchen.minutes', '90', 'x']));
  await db.run(`update setting set value = '"x"', version = 90, mac = $1 where key = 'kitchen.minutes'`, [mac]);
  const watch = await watchSettings(db);
  assert.equal(settings.get('kitchen.minutes'), 15);
  assert.ok(lines.some((line) => line.includes('stored setting is not valid')));
  await watch.stop();
});

test('ignores a value that was changed by SQL: the last valid value counts, and the proof reports it', async () => {
  await db.tx((tx) => settings.put(tx, 'kitchen.minutes', 40, 'anna'));
  const altered = async (...sql: string[]): Promise<unknown> => {
    const caught = new Error('undone');
    const seen: unknown[] = [];
    const work = own.owner.tx(async (tx) => {
      for (const statement of sql) await tx.run(statement);
      seen.push(await settings.read(tx, 'kitchen.minutes'), await alteredSettings(tx));
      throw caught;
    });
    await assert.rejects(work, caught);
    return seen;
  };
  const here = `where key = 'kitchen.minutes'`;
  assert.deepEqual(await altered(), [40, []]);
  assert.deepEqual(await altered(`update setting set value = '50' ${here}`), [40, ['kitchen.minutes']]);
  assert.deepEqual(await altered(`update setting set value = '50', version = version + 1 ${here}`), [40, ['kitchen.minutes']]);
  assert.deepEqual(
    await altered(
      `update setting s set value = h.value, mac = h.mac from setting_history h where h.version = 2 and s.key = h.key`,
    ),
    [40, ['kitchen.minutes']],
  );
  assert.deepEqual(
    await altered(
      `update setting s set value = h.value, version = h.version, mac = h.mac from setting_history h where h.version = 2 and s.key = h.key`,
    ),
    [25, ['kitchen.minutes']],
  );
  assert.deepEqual(await altered(`delete from setting ${here}`), [15, ['kitchen.minutes']]);
  assert.deepEqual(await altered(`delete from setting ${here}`, `delete from setting_history ${here} and version > 1`), [
    15,
    ['kitchen.minutes'],
  ]);
  assert.deepEqual(
    await altered(
      `delete from setting ${here}`,
      `delete from setting_history ${here}`,
      `insert into setting_history (version, key, value, by, at) values (6, 'kitchen.share', '"0.5"', 'anna', clock_now())`,
    ),
    [15, ['kitchen.share', 'put 1', 'put 2', 'put 3', 'put 4', 'put 5']],
  );
  assert.deepEqual(
    await altered(
      `insert into setting (key, value, version, by, at) select 'kitchen.share', '"0.9"', 1000, by, at from setting ${here}`,
    ),
    [40, ['kitchen.share']],
  );
});

test('concurrent puts get versions of their own', async () => {
  const puts = Array.from({ length: 10 }, (_, n) => db.tx((tx) => settings.put(tx, 'kitchen.share', String(n), 'anna')));
  await Promise.all(puts);
  const rows = await db.rows(`select version from setting_history where key = 'kitchen.share'`);
  assert.equal(rows.length, 10);
});

test('a declaration that contradicts itself fails at once', () => {
  const schema = z.int();
  assert.throws(
    () => defineSettings('kitchen', { 'garden.x': { schema, initial: 1, words: '', looser: 'none' } }),
    /must be named/,
  );
  assert.throws(
    () => defineSettings('kitchen', { 'kitchen.minutes': { schema, initial: 1, words: '', looser: 'none' } }),
    /twice/,
  );
  assert.throws(() => defineSettings('kitchen', { 'kitchen.half': { schema, initial: 0.5, words: '', looser: 'none' } }));
});
