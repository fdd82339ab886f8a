// API keys of stores: who makes them, what they permit, their modes and budget, and the letters about their end.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { STORE_PERMISSIONS, STORE_ROLES, STORE_SCOPES, type StoreRole } from '@kurs/contract';
import fc from 'fast-check';
import { setResourceRole } from '../../auth/index.ts';
import { queuedLetters } from '../../deliveries/testing.ts';
import { advanceClock, putSetting, watchSettings } from '../../platform/index.ts';
import { SENDER } from '../businesses/businesses.testing.ts';
import { mailEndingKeys } from '../keys/ending-keys.ts';
import { seedStoreRoles } from '../stores/roles.ts';
import { type GateWorld, type Person, fieldWords, openGateWorld } from './gate-world.testing.ts';

let world: GateWorld;
before(async () => {
  world = await openGateWorld();
});
after(() => world.close());

const DAY_MS = 86_400_000;
const make = (store: string, by: Person, permissions: readonly string[] = ['invoices.read'], more: object = {}) =>
  world.call('storeKeyMake', { store, name: 'shop', permissions, ...more }, by);
const opens = async (store: string, key: string, mode: 'sandbox' | 'live' = 'sandbox') =>
  (await world.call('store', { store }, { bearer: key }, mode)).code;

test('a key opens its own store with its own permissions, and its owner and maker are notified', async () => {
  const ann = await world.person();
  const [store, other] = [await world.store(ann, 'business'), await world.store(ann, 'business')];
  const bob = await world.member(store, 'developer');
  const { data } = await make(store, bob, ['invoices.read', 'invoices.create']);
  assert.deepEqual([data.made_by, data.test, data.permissions], [bob.email, false, ['invoices.read', 'invoices.create']]);
  assert.deepEqual([await opens(store, data.key), await opens(other, data.key)], ['ok', 'forbidden']);
  const read = await world.call('store', { store }, { bearer: data.key });
  assert.deepEqual(read.data.permissions, ['invoices.read', 'invoices.create']);
  assert.equal((await world.call('storeChange', { store, name: 'x' }, { bearer: data.key })).code, 'forbidden');
  for (const { email } of [ann, bob]) {
    const [letter] = await queuedLetters(world.db, { to: email, key: `store key ${data.id} %` });
    assert.match(letter?.text ?? '', new RegExp(`${bob.email}[^]*shop \\(${data.hint}…\\)[^]*127\\.0\\.0\\.1`));
    assert.ok(!letter?.text.includes(data.key));
  }
  const listed = (await world.call('storeKeys', { store }, bob)).data;
  assert.deepEqual(
    listed.keys.map((key) => [key.id, 'key' in key]),
    [[data.id, false]],
  );
  assert.deepEqual(listed.givable.toSorted(), [
    'invoices.create',
    'invoices.manage',
    'invoices.read',
    'reports.read',
    'webhooks.manage',
  ]);
});

test('a key is made once for an Idempotency-Key, and a password is no part of what is compared', async () => {
  const ann = await world.person();
  const store = await world.store(ann);
  const again = { ...ann, idempotencyKey: 'key-of-the-shop' };
  const { data: made } = await make(store, again, ['invoices.read'], { password: 'correct horse battery' });
  assert.deepEqual((await make(store, again, ['invoices.read'], { password: 'correct horse battery' })).data, made);
  assert.deepEqual((await make(store, again)).data, made, 'its hash, which is stored for days, holds no password');
  assert.equal((await make(store, again, ['reports.read'])).code, 'idempotency_mismatch');
  assert.equal((await world.call('storeKeys', { store }, ann)).data.keys.length, 1);
});

test('only members with the permission make and revoke keys; only the owner those that refund', async () => {
  const [ann, eve] = [await world.person(), await world.person()];
  const store = await world.store(ann);
  const dan = await world.member(store, 'developer');
  for (const role of ['manager', 'accountant'] as const)
    assert.equal((await make(store, await world.member(store, role))).code, 'forbidden', role);
  assert.equal((await make(store, eve)).code, 'forbidden');
  assert.equal((await make(store, dan, ['store.manage'])).code, 'forbidden', 'the developer does not have it');
  for (const never of ['keys.manage', 'members.manage', 'settlement.move', 'payments.decide'])
    assert.equal((await make(store, ann, [never])).code, 'validation', never);
  for (const refunds of ['refunds.create', 'refunds.approve', 'refunds.propose']) {
    assert.equal((await make(store, dan, [refunds])).code, 'forbidden', refunds);
    assert.equal((await make(store, ann, [refunds])).code, 'ok', refunds);
  }
  // Even a role that has them doesn't give them on.
  const more = [...STORE_ROLES.developer, 'refunds.create', 'settlement.move'] as const;
  await world.db.tx((tx) => setResourceRole(tx, { kind: 'store', role: 'developer', permissions: more, by: 'test' }));
  assert.equal((await make(store, dan, ['refunds.create'])).code, 'forbidden');
  await world.db.tx(seedStoreRoles);
  const [refunding] = (await world.call('storeKeys', { store }, ann)).data.keys;
  const revoke = async (by: Person) => (await world.call('storeKeyRevoke', { store, id: refunding?.id }, by)).code;
  assert.deepEqual(
    [await revoke(eve), await revoke(dan), await revoke(ann), await revoke(ann)],
    ['forbidden', 'forbidden', 'ok', 'not_found'],
  );
  const other = await world.store(eve);
  const { id } = (await make(store, ann)).data;
  assert.equal((await world.call('storeKeyRevoke', { store: other, id }, eve)).code, 'not_found');
});

test('a key has at most what its maker has, for any role and any set of permissions', async () => {
  const ann = await world.person();
  const store = await world.store(ann);
  const members = new Map<StoreRole, Person>([['owner', ann]]);
  for (const role of ['manager', 'developer', 'accountant'] as const) members.set(role, await world.member(store, role));
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...members.keys()),
      fc.uniqueArray(fc.constantFrom(...STORE_PERMISSIONS), { minLength: 1 }),
      async (role, permissions) => {
        const has: readonly string[] = STORE_ROLES[role];
        const { code, data } = await make(store, members.get(role)!, permissions);
        const isMade =
          has.includes('keys.manage') &&
          permissions.every((one) => has.includes(one) && (STORE_SCOPES as readonly string[]).includes(one)) &&
          (role === 'owner' || !permissions.some((one) => one.startsWith('refunds.')));
        assert.equal(code === 'ok', isMade, `${role} ${permissions.join()}: ${code}`);
        if (!isMade) return;
        assert.deepEqual(data.permissions.toSorted(), permissions.toSorted());
        await world.call('storeKeyRevoke', { store, id: data.id }, ann);
      },
    ),
    { numRuns: 60 },
  );
});

test('an older session needs another proof to make a key, and a personal store has none', async () => {
  const old = await world.person(11);
  assert.equal((await make(await world.store(old), old)).code, 'code_required');
  const ann = await world.person();
  const store = await world.store(ann, 'personal');
  assert.equal((await make(store, ann)).code, 'store_without_members');
});

test('a store has at most twenty keys, also after two calls at once; keys of accounts and other stores don’t count', async () => {
  const ann = await world.person();
  const store = await world.store(ann);
  for (let count = 0; count < 19; count += 1) assert.equal((await make(store, ann)).code, 'ok');
  const answers = await Promise.all([make(store, ann), make(store, ann)]);
  assert.deepEqual(answers.map(({ code }) => code).toSorted(), ['ok', 'validation']);
  assert.deepEqual(answers.find(({ code }) => code !== 'ok')?.fields, { name: fieldWords('keys_too_many', { max: '20' }) });
  assert.equal((await make(await world.store(ann), ann)).code, 'ok');
});

test('live mode accepts test keys of test stores alone, and a sandbox no live key', async () => {
  const ann = await world.person();
  const [shop, trial] = [await world.store(ann, 'business'), await world.store(ann)];
  const keyOf = async (store: string, mode: 'sandbox' | 'live') =>
    (await world.call('storeKeyMake', { store, name: 'x', permissions: ['invoices.read'] }, ann, mode)).data.key;
  const [live, test_] = [await keyOf(shop, 'live'), await keyOf(trial, 'live')];
  assert.match(live, /^kurs_live_/);
  assert.match(test_, /^kurs_test_/);
  assert.deepEqual([await opens(shop, live, 'live'), await opens(trial, test_, 'live')], ['ok', 'ok']);
  assert.deepEqual([await opens(trial, live, 'live'), await opens(shop, test_, 'live')], ['forbidden', 'forbidden']);
  assert.deepEqual([await opens(shop, live), await opens(trial, test_)], ['unauthorised', 'ok']);
  const sandbox = await keyOf(shop, 'sandbox');
  assert.match(sandbox, /^kurs_test_/);
  assert.deepEqual([await opens(shop, sandbox), await opens(shop, sandbox, 'live')], ['ok', 'unauthorised']);
});

test('the keys of a removed member end if they are named, and only that member’s', async () => {
  const ann = await world.person();
  const store = await world.store(ann);
  const dan = await world.member(store, 'developer');
  const [own, gone, stays] = [(await make(store, ann)).data, (await make(store, dan)).data, (await make(store, dan)).data];
  const { members } = (await world.call('storeMembers', { store }, ann)).data;
  const listed = members.find(({ id }) => id === dan.id)?.keys.map(({ id }) => id) ?? [];
  assert.deepEqual(listed.toSorted(), [gone.id, stays.id].toSorted());
  const input = { store, id: dan.id, keys: [gone.id, own.id] };
  assert.equal((await world.call('storeMemberRemove', input, ann)).code, 'ok');
  assert.equal((await make(store, dan)).code, 'forbidden');
  assert.deepEqual(
    [await opens(store, own.key), await opens(store, gone.key), await opens(store, stays.key)],
    ['ok', 'unauthorised', 'ok'],
  );
});

test('calls of a store’s key have a budget of their own', async () => {
  const ann = await world.person();
  const store = await world.store(ann);
  const { key } = (await make(store, ann)).data;
  const read = () => world.call('store', { store }, { bearer: key });
  assert.deepEqual([(await read()).left, (await read()).left], [5_999, 5_998]);
  const settings = await watchSettings(world.db);
  await world.db.tx((tx) => putSetting(tx, 'gate.key_writes_minute', 3, 'olga'));
  await settings.refresh();
  assert.deepEqual([(await read()).code, (await read()).code], ['ok', 'rate_limited']);
  await world.db.tx((tx) => putSetting(tx, 'gate.key_writes_minute', 6_000, 'olga'));
  await settings.refresh();
  await settings.stop();
});

test('a key that SQL changed opens nothing, and is accused', async () => {
  const ann = await world.person();
  const [store, other] = [await world.store(ann), await world.store(ann)];
  const changes = [
    `scopes = '{invoices.read,settlement.move}'`,
    `resource_id = '${other}'`,
    'is_test = false',
    `made_by = null`,
    `expires_at = expires_at + interval '1 day'`,
    'mac = null',
  ];
  for (const change of changes) {
    const { data } = await make(store, ann);
    await world.db.run(`update api_key set ${change} where id = $1`, [data.id]);
    for (const at of [store, other]) assert.notEqual(await opens(at, data.key), 'ok', change);
    assert.deepEqual(await world.accused(), [data.id], change);
    await world.db.run('delete from api_key where id = $1', [data.id]);
  }
  const { data } = await make(store, ann);
  await world.call('storeKeyRevoke', { store, id: data.id }, ann);
  await world.db.run('update api_key set revoked_at = null where id = $1', [data.id]);
  assert.equal(await opens(store, data.key), 'unauthorised');
  assert.deepEqual(await world.accused(), [data.id]);
  await world.db.run('delete from api_key where id = $1', [data.id]);
});

test('the owner and the maker are notified 30, 7 and 1 days before a key ends and after it, once each', async () => {
  const ann = await world.person();
  const store = await world.store(ann);
  const dan = await world.member(store, 'developer');
  const { data } = await make(store, dan, ['invoices.read'], { days: 60 });
  const week = (await make(store, dan, ['invoices.read'], { days: 7 })).data;
  const revoked = (await make(store, dan, ['invoices.read'], { days: 40 })).data;
  await world.call('storeKeyRevoke', { store, id: revoked.id }, ann);
  const sent = async (key: string, to = ann): Promise<string[]> => {
    while ((await mailEndingKeys(world.db, { ...SENDER, tokens: undefined as never })) > 0);
    const letters = await queuedLetters(world.db, { to: to.email, key: `store key ${key} ends %` });
    return letters.map(({ key: name }) => name.split(' ')[4] ?? '');
  };
  assert.deepEqual([await sent(data.id), await sent(week.id)], [[], []]);
  const passing: readonly (readonly [days: number, letters: readonly string[]])[] = [
    [29, []],
    [1, ['30']],
    [5, ['30']],
    [18, ['30', '7']],
    [6, ['30', '7', '1']],
    [1, ['30', '7', '1', '0']],
    [9, ['30', '7', '1', '0']],
  ];
  for (const [days, letters] of passing) {
    await advanceClock(world.db, days * DAY_MS);
    assert.deepEqual(await sent(data.id), letters, `after ${days} more days`);
  }
  assert.deepEqual(await sent(data.id, dan), ['30', '7', '1', '0']);
  assert.deepEqual([await sent(week.id), await sent(revoked.id)], [['0'], []], 'after a downtime only the latest');
  const [, , , over] = await queuedLetters(world.db, { to: ann.email, key: `store key ${data.id} ends %` });
  assert.match(over?.text ?? '', /has ended[^]*shop[^]*\/En\/dashboard\/business/);
});
