// Stores: kinds and their limits, settings, the one store that a role is for, and rows that SQL changed.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { STORE_PERMISSIONS, STORE_ROLES, type StoreRole } from '@kurs/contract';
import { grantRole, resourceRoles, setResourceRole } from '../../auth/index.ts';
import { writeHolderMacs } from '../../auth/testing.ts';
import { newId } from '../../platform/index.ts';
import { forgetStores, storeRecords } from '../forget-stores.ts';
import { seedStoreRoles } from '../stores/roles.ts';
import { type GateWorld, NEW_STORE, fieldWords, openGateWorld } from './gate-world.testing.ts';

let world: GateWorld;
before(async () => {
  world = await openGateWorld();
});
after(() => world.close());

test('an account makes one personal store, three test stores, and business stores of its approved business', async () => {
  const ann = await world.person();
  const make = async (kind: string) => (await world.call('storeMake', { ...NEW_STORE, kind }, ann)).code;
  assert.equal(await make('business'), 'business_not_approved');
  assert.deepEqual((await world.call('stores', {}, ann)).data.makeable, ['personal', 'test']);
  assert.deepEqual([await make('personal'), await make('personal')], ['ok', 'stores_too_many']);
  for (const code of ['ok', 'ok', 'ok', 'stores_too_many']) assert.equal(await make('test'), code);
  await world.store(ann, 'business');
  for (let count = 1; count < 20; count += 1) assert.equal(await make('business'), 'ok');
  assert.equal(await make('business'), 'stores_too_many');
  const { data } = await world.call('stores', {}, ann);
  assert.deepEqual(data.makeable, []);
  assert.equal(data.stores.length, 24);
  for (const store of data.stores) {
    assert.deepEqual([store.role, store.permissions], ['owner', STORE_PERMISSIONS]);
    assert.equal(store.business_state, store.kind === 'business' ? 'approved' : undefined);
    assert.equal(store.test, store.kind === 'test');
  }
});

test('two calls at once exceed no limit', async () => {
  const ann = await world.person();
  await world.store(ann);
  const tries = ['test', 'test', 'test', 'test', 'personal', 'personal'];
  const answers = await Promise.all(tries.map((kind) => world.call('storeMake', { ...NEW_STORE, kind }, ann)));
  const codes = answers.map(({ code }) => code).toSorted();
  assert.deepEqual(codes, ['ok', 'ok', 'ok', 'stores_too_many', 'stores_too_many', 'stores_too_many']);
});

test('an account without a verified address makes no store', async () => {
  const ann = await world.person();
  await world.db.run('update account_holder set email_verified_at = null where id = $1', [ann.id]);
  await writeHolderMacs(world.db);
  for (const kind of ['personal', 'test'])
    assert.equal((await world.call('storeMake', { ...NEW_STORE, kind }, ann)).code, 'level_needed');
});

test('a store begins in the time zone of its owner, and takes only currencies with a price and of rails that are on', async () => {
  const ann = await world.person();
  await world.db.run(`update account_holder set timezone = 'Europe/Belgrade' where id = $1`, [ann.id]);
  const store = await world.store(ann);
  const read = async () => (await world.call('store', { store }, ann)).data;
  assert.equal((await read()).timezone, 'Europe/Belgrade');
  const { data } = await world.call('stores', {}, ann);
  assert.ok(data.invoice_currencies.includes('USD') && !data.invoice_currencies.includes('EUR'));
  assert.deepEqual(data.settlement_currencies.includes('BTC'), true);
  const change = (more: object) => world.call('storeChange', { store, ...more }, ann);
  assert.deepEqual((await change({ invoice_currency: 'EUR' })).fields, {
    invoice_currency: fieldWords('currency_without_price'),
  });
  assert.deepEqual((await change({ settlement_currency: 'WMZ' })).fields, {
    settlement_currency: fieldWords('currency_unknown'),
  });
  assert.deepEqual((await change({ timezone: 'Mars/Base' })).fields, { timezone: fieldWords('timezone_unknown') });
  assert.equal((await change({ name: 'Other name', invoice_currency: 'BTC' })).code, 'ok');
  const { name, invoice_currency: invoices, settlement_currency: settlement } = await read();
  assert.deepEqual([name, invoices, settlement], ['Other name', 'BTC', 'BTC']);
  assert.deepEqual(await world.accused(), []);
});

test('a member of one store is refused at another, also at one that does not exist', async () => {
  const [ann, bob] = [await world.person(), await world.person()];
  const [own, others] = [await world.store(ann), await world.store(bob)];
  for (const store of [others, newId()])
    for (const [name, input] of [
      ['store', {}],
      ['storeChange', { name: 'Mine now' }],
      ['storeMembers', {}],
      ['storeKeys', {}],
      ['storeLeave', {}],
    ] as const)
      assert.equal((await world.call(name, { ...input, store }, ann)).code, 'forbidden', name);
  assert.equal((await world.call('store', { store: own }, ann)).code, 'ok');
});

test('a store that SQL changed opens nothing, and is accused', async () => {
  const ann = await world.person();
  for (const change of [
    `kind = 'personal'`,
    `name = 'x'`,
    `settlement_currency = 'USDT_ERC20'`,
    'holder_id = $2',
    'mac = null',
  ]) {
    const store = await world.store(ann);
    const bob = await world.member(store, 'manager');
    await world.db.run(`update store set ${change} where id = $1 and $2::uuid is not null`, [store, bob.id]);
    for (const [name, input] of [
      ['store', {}],
      ['storeChange', { name: 'y' }],
      ['storeMembers', {}],
      ['storeInvite', { email: 'cat@example.org', role: 'manager' }],
      ['storeKeys', {}],
      ['storeKeyMake', { name: 'x', permissions: ['invoices.read'] }],
    ] as const)
      assert.equal((await world.call(name, { ...input, store }, ann)).code, 'record_altered', `${change} ${name}`);
    assert.ok(!(await world.call('stores', {}, ann)).data.stores.some(({ id }) => id === store));
    assert.deepEqual(await world.accused(), [store]);
    await world.tamper(`delete from store where id = '${store}'`);
    assert.deepEqual(await world.accused(), [store], 'a role is left of a store that is gone');
    await world.tamper('delete from resource_grant');
  }
});

test('roles are stated once, and again after a change', async () => {
  const { db } = world;
  const rows = async () => (await db.rows(`select from resource_role where resource_kind = 'store'`)).length;
  const before = await rows();
  await db.tx(seedStoreRoles);
  assert.equal(await rows(), before);
  await db.tx((tx) => setResourceRole(tx, { kind: 'store', role: 'accountant', permissions: ['settlement.move'], by: 'test' }));
  await db.tx(seedStoreRoles);
  assert.deepEqual((await resourceRoles(db, 'store')).get('accountant'), STORE_ROLES.accountant);
  assert.deepEqual(await world.accused(), []);
});

test('a role that SQL gave, or gave back by a copy of an older row, opens nothing and is accused', async () => {
  const [ann, eve] = [await world.person(), await world.person()];
  const store = await world.store(ann);
  const opens = async () => (await world.call('store', { store }, eve)).code;
  const insert = `insert into resource_grant (holder_id, resource_kind, resource_id, role, since, by, mac)`;
  await world.db.run(
    `${insert} select $1, resource_kind, resource_id, role, since, by, mac from resource_grant where resource_id = $2`,
    [eve.id, store],
  );
  assert.equal(await opens(), 'forbidden');
  assert.deepEqual(await world.accused(), [store]);

  const other = await world.store(ann);
  const on = { kind: 'store', id: other };
  const grant = (role?: StoreRole) => world.db.tx((tx) => grantRole(tx, { holderId: eve.id, on, role, by: 'test' }));
  await grant('manager');
  await grant();
  await world.db.run(
    `${insert} select holder_id, resource_kind, resource_id, role, since, by, mac from resource_grant
    where holder_id = $1 and resource_id = $2 and role is not null`,
    [eve.id, other],
  );
  assert.equal((await world.call('store', { store: other }, eve)).code, 'forbidden');
  assert.deepEqual(await world.accused(), [store, other]);

  await world.db.run(`insert into resource_role (resource_kind, role, permissions, since, by, mac)
    select resource_kind, 'accountant', permissions, clock_now(), by, mac from resource_role where role = 'owner'`);
  assert.deepEqual((await resourceRoles(world.db, 'store')).get('accountant'), STORE_ROLES.accountant);
  assert.deepEqual(await world.accused(), [store, other, 'accountant']);
  await world.tamper('delete from resource_grant', 'delete from resource_role where seq = (select max(seq) from resource_role)');
});

test('a closed account has no role and no invitation, and its stores have no members and no keys', async () => {
  const [ann, bob] = [await world.person(), await world.person()];
  const [own, others] = [await world.store(ann), await world.store(bob)];
  await world.db.tx((tx) => grantRole(tx, { holderId: ann.id, on: { kind: 'store', id: others }, role: 'manager', by: bob.id }));
  const cat = await world.member(own, 'manager');
  const key = (await world.call('storeKeyMake', { store: own, name: 'shop', permissions: ['invoices.read'] }, ann)).data;
  const opens = async (store: string, by: { bearer: string }) => (await world.call('store', { store }, by)).code;
  assert.deepEqual([await opens(own, { bearer: key.key }), await opens(others, ann)], ['ok', 'ok']);
  assert.deepEqual(
    (await storeRecords(world.db, ann.id)).map(({ id, role }) => [id, role]),
    [
      [own, 'owner'],
      [others, 'manager'],
    ],
  );
  const third = await world.store(bob);
  const invitation = (await world.call('storeInvite', { store: third, email: ann.email, role: 'manager' }, bob)).data.id;
  await world.call('storeInvite', { store: own, email: 'dan@example.org', role: 'manager' }, ann);
  await world.db.tx((tx) => forgetStores(tx, { id: ann.id, mailbox: ann.email }));
  assert.deepEqual(
    [await opens(own, ann), await opens(others, ann), await opens(own, cat)],
    ['forbidden', 'forbidden', 'forbidden'],
  );
  assert.equal(await opens(own, { bearer: key.key }), 'unauthorised');
  assert.equal((await world.call('storeJoin', { invitation, accept: true }, ann)).code, 'invitation_over');
  assert.equal((await world.db.rows('select from store_invitation where ended_at is null')).length, 0);
  assert.deepEqual(await world.accused(), []);
});
