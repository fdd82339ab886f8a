// Applications for businesses: who may apply, one at a time, served countries, and rows that SQL changed.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Problem, routes } from '@kurs/contract';
import { newHolder, writeHolderMacs } from '../../auth/testing.ts';
import { queuedLetters } from '../../deliveries/testing.ts';
import { type Db, type SettingsWatch, putSetting, watchSettings } from '../../platform/index.ts';
import { refusal, testDb } from '../../platform/testing.ts';
import { approvedBusiness, businessesById } from '../businesses/business-store.ts';
import { applyFor, approvedFor } from '../businesses/businesses.testing.ts';
import { ownBusinessView } from '../businesses/views.ts';
import { gateCheck } from '../check-books.ts';

let db: Db;
let owner: Db;
let drop: () => Promise<void>;
let settings: SettingsWatch;
before(async () => {
  ({ db, owner, drop } = await testDb());
  settings = await watchSettings(db);
});
after(async () => {
  await settings.stop();
  await drop();
});

const stateOf = async (holder: string): Promise<string | undefined> => (await ownBusinessView(db, holder, 'en')).business?.state;
const isProblem = (code: string) => (error: unknown) => error instanceof Problem && error.code === code;

test('an account holder applies once, is answered by letter, and may apply again only after a refusal or a closing', async () => {
  const holder = await newHolder(db);
  const business = await applyFor(db, holder);
  assert.equal(await stateOf(holder), 'applied');
  const [letter] = await queuedLetters(db, { to: `${holder}@example.org` });
  assert.match(letter?.text ?? '', /Example Shop Ltd[^]*Our staff read the application[^]*\/En\/dashboard\/business/);
  for (const [state, answer] of [
    ['applied', 'business_exists'],
    ['approved', 'business_exists'],
    ['suspended', 'business_exists'],
    ['refused', 'done'],
  ] as const) {
    await db.run('update business set state = $2 where id = $1', [business.id, state]);
    assert.equal(await refusal(() => applyFor(db, holder)), answer, state);
  }
});

test('of two applications at the same moment one is stored', async () => {
  const holder = await newHolder(db);
  const results = await Promise.allSettled([applyFor(db, holder), applyFor(db, holder)]);
  const refused = results.filter((one) => one.status === 'rejected');
  assert.equal(refused.length, 1);
  assert.ok(isProblem('business_exists')(refused[0]?.reason));
  assert.equal((await db.rows('select from business where holder_id = $1', [holder])).length, 1);
});

test('an account without a verified address can’t apply', async () => {
  const holder = await newHolder(db);
  await db.run('update account_holder set email_verified_at = null where id = $1', [holder]);
  await writeHolderMacs(db);
  await assert.rejects(applyFor(db, holder), isProblem('level_needed'));
  assert.equal(await stateOf(holder), undefined);
});

test('refuses a country that the desk doesn’t serve, and shows it with the refused goods in the caller’s language', async () => {
  const holder = await newHolder(db);
  await db.tx((tx) => putSetting(tx, 'gate.countries_refused', ['DE'], 'olga'));
  await settings.refresh();
  assert.equal(await refusal(() => applyFor(db, holder)), 'country_refused');
  assert.equal(await refusal(() => applyFor(db, holder, { country: 'FR' })), 'done');
  const { countries_refused: countries, goods_refused: goods } = await ownBusinessView(db, holder, 'ru');
  assert.deepEqual(countries, ['DE']);
  assert.ok(goods.includes('подделки и краденое'));
  await db.tx((tx) => putSetting(tx, 'gate.countries_refused', [], 'olga'));
  await settings.refresh();
});

test('the form takes real countries, plain https sites and owners of more than a quarter', () => {
  const valid = {
    ...{ legal_name: 'A', registration_number: '1', country: ' de ', address: 'Street 1', web_sites: ['shop.example.com'] },
    ...{ goods: 'maps', turnover_usd: 1, owners: [] },
  };
  const { input } = routes.businessApply;
  const { country, web_sites: sites } = input.parse(valid);
  assert.deepEqual([country, sites], ['DE', ['https://shop.example.com']]);
  const refused: readonly [change: object, code: string][] = [
    [{ country: 'ZZ' }, 'country_format'],
    [{ country: 'Germany' }, 'country_format'],
    [{ web_sites: ['https://ann:secret@shop.example.com'] }, 'site_format'],
    [{ web_sites: ['http://shop.example.com'] }, 'site_format'],
    [{ web_sites: ['https://shop.example.com/path'] }, 'site_format'],
    [{ web_sites: ['https://localhost'] }, 'site_format'],
    [{ owners: [{ name: 'Ann', percent: 25 }] }, 'percent_owned'],
    [
      {
        owners: [
          { name: 'Ann', percent: 60 },
          { name: 'Bob', percent: 50 },
        ],
      },
      'percent_owned',
    ],
  ];
  for (const [change, code] of refused) {
    const { error } = input.safeParse({ ...valid, ...change });
    assert.deepEqual(
      error?.issues.map(({ message }) => message),
      [code],
      JSON.stringify(change),
    );
  }
});

test('a business whose row SQL changed counts as suspended, opens nothing, and is accused', async () => {
  const holder = await newHolder(db);
  const { id } = await approvedFor(db, holder);
  assert.equal((await db.tx((tx) => approvedBusiness(tx, holder)))?.id, id);
  const accused = async (): Promise<unknown[]> => ((await gateCheck.faults?.(db)) ?? []).map(({ account }) => account);
  assert.equal((await accused()).includes(id), false);
  await owner.run(`update business set legal_name = 'Other Ltd' where id = $1`, [id]);
  assert.equal(await stateOf(holder), 'suspended');
  assert.equal(await db.tx((tx) => approvedBusiness(tx, holder)), undefined);
  assert.equal((await businessesById(db, [id])).get(id)?.isAltered, true);
  assert.ok((await accused()).includes(id));
});
