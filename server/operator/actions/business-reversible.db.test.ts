// The desk lets businesses be paid by methods whose payments can be taken back: people, bounds, and rows that SQL changed.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Input, Routes } from '@kurs/contract';
import { newHolder } from '../../auth/testing.ts';
import { setLevel } from '../../compliance/index.ts';
import { approvedFor } from '../../gate/testing.ts';
import { saidBy } from '../../ledger/testing.ts';
import { type Db, type SettingsWatch, newId, putSetting, watchSettings } from '../../platform/index.ts';
import { refusal, testDb } from '../../platform/testing.ts';
import { checksOf } from '../checks.ts';
import { OWNERS } from '../owners.testing.ts';
import { addPerson } from '../people/person.testing.ts';
import type { Person } from '../people/roles.ts';
import { allowReversible } from './business-reversible.ts';
import { businessForDesk } from './businesses.ts';

let db: Db;
let owner: Db;
let drop: () => Promise<void>;
let settings: SettingsWatch;
const people: Record<string, Person> = {};
before(async () => {
  ({ db, owner, drop } = await testDb());
  settings = await watchSettings(db);
  for (const name of ['kim', 'lee']) people[name] = await addPerson(db, name, 'compliance');
  people['olga'] = await addPerson(db, 'olga', 'operator');
});
after(async () => {
  await settings.stop();
  await drop();
});

type Terms = Omit<Input<Routes['operatorBusinessReversible']>, 'id' | 'reason'>;

/** Returns the id of a new approved business. */
async function newBusiness(): Promise<string> {
  const holder = await newHolder(db);
  await db.tx((tx) => setLevel(tx, holder, 2, 'olga'));
  return (await approvedFor(db, holder)).id;
}

/** Sets a business's terms in a person's name. Returns the status, or the code of the refusal. */
async function set(name: string, id: string, terms: Terms): Promise<string> {
  let status = '';
  const refused = await refusal(async () => {
    ({ status } = await allowReversible(db, people[name] as Person, { id, reason: 'for a test', ...terms }));
  });
  return refused === 'done' ? status : refused;
}

const shown = async (id: string) => (await businessForDesk(db, id)).reversible;
const USUAL = { invoice_usd: '500.00', receipts_usd: '2000.00', release_days: 180, last_share: 0 };

/** Sets terms in the names of two people. */
async function setByTwo(id: string, terms: Terms): Promise<void> {
  assert.equal(await set('kim', id, terms), 'awaiting_second');
  assert.equal(await set('lee', id, terms), 'done');
}

test('two people switch them on, and one switches them off at once', async () => {
  const id = await newBusiness();
  assert.deepEqual(await shown(id), { on: false, ...USUAL });
  assert.equal(await set('olga', id, { on: true }), 'forbidden');
  assert.equal(await set('kim', id, { on: true }), 'awaiting_second');
  assert.equal(await set('kim', id, { on: true }), 'same_person');
  assert.equal(await set('lee', id, { on: true, invoice_usd: '900' }), 'request_differs');
  assert.deepEqual(await shown(id), { on: false, ...USUAL });
  assert.equal(await set('lee', id, { on: true }), 'done');
  assert.deepEqual(await shown(id), { on: true, ...USUAL });
  assert.equal(await set('kim', id, { on: false }), 'done');
  assert.deepEqual(await shown(id), { on: false, ...USUAL });
});

test('two people raise each bound of a business, and one lowers it', async () => {
  const steps: readonly (readonly [looser: Partial<Terms>, stricter: Partial<Terms>])[] = [
    [{ invoice_usd: '500.01' }, { invoice_usd: '499.99' }],
    [{ receipts_usd: '2000.01' }, { receipts_usd: '1999.99' }],
    [{ release_days: 179 }, {}],
    [
      { release_days: 30, last_share: 10 },
      { release_days: 30, last_share: 11 },
    ],
  ];
  for (const [looser, stricter] of steps) {
    const id = await newBusiness();
    await setByTwo(id, { on: true });
    await setByTwo(id, { on: true, ...looser });
    assert.deepEqual(await shown(id), { on: true, ...USUAL, ...looser });
    assert.equal(await set('kim', id, { on: true, ...stricter }), 'done', JSON.stringify(stricter));
    assert.deepEqual(await shown(id), { on: true, ...USUAL, ...stricter });
    assert.equal(await set('kim', id, { on: true, ...looser }), 'awaiting_second', JSON.stringify(looser));
  }
});

test('a request of one person is void once the usual bounds or the business’s terms have changed', async () => {
  const id = await newBusiness();
  assert.equal(await set('kim', id, { on: true }), 'awaiting_second');
  await db.tx((tx) => putSetting(tx, 'gate.paypal_receipts_usd', '100000', 'test'));
  await settings.refresh();
  assert.equal(await set('lee', id, { on: true }), 'awaiting_second');
  await db.tx((tx) => putSetting(tx, 'gate.paypal_receipts_usd', '2000', 'test'));
  await settings.refresh();
  await setByTwo(id, { on: true });
  assert.equal(await set('kim', id, { on: true, invoice_usd: '900' }), 'awaiting_second');
  assert.equal(await set('lee', id, { on: true, invoice_usd: '100' }), 'done');
  assert.equal(await set('lee', id, { on: true, invoice_usd: '900' }), 'awaiting_second');
  assert.equal(await set('kim', newId(), { on: true }), 'not_found');
  assert.equal(await set('kim', id, { on: true, invoice_usd: '1.001' }), 'amount_format');
});

const isAccused = async (id: string): Promise<boolean> =>
  (await saidBy(db, checksOf(OWNERS))).some((words) => words.includes(id));

test('terms that SQL changed are accused, and the business counts as suspended', async () => {
  const changes = ['reversible_on = true', 'reversible_invoice_usd = 1', 'reversible_receipts_usd = 1', 'release_days = 1'];
  for (const change of [...changes, 'last_share = 1']) {
    const id = await newBusiness();
    await owner.run(`update business set ${change} where id = $1`, [id]);
    assert.equal((await businessForDesk(db, id)).state, 'suspended', change);
    assert.equal(await isAccused(id), true, change);
    assert.equal(await set('kim', id, { on: false }), 'record_altered', change);
  }
});

test('an earlier row with its MAC is accused: that of a business before it was switched off', async () => {
  const id = await newBusiness();
  await setByTwo(id, { on: true });
  const earlier = await owner.row<{ mac: string }>('select mac from business where id = $1', [id]);
  assert.equal(await set('kim', id, { on: false }), 'done');
  assert.equal(await isAccused(id), false);
  await owner.run('update business set (reversible_on, mac) = (true, $2) where id = $1', [id, earlier?.mac]);
  assert.equal((await businessForDesk(db, id)).state, 'approved');
  assert.equal(await isAccused(id), true);
});
