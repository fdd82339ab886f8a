// One account may have roles on several resources. Each is valid for its own resource, and changes apply from the next call on.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { writeHolderMacs } from './testing.ts';
import { type Db, newId } from '../platform/index.ts';
import { testDb } from '../platform/testing.ts';
import { grantRole, grantsOf, setResourceRole } from './grants.ts';

let db: Db;
let drop: () => Promise<void>;
const [ann, bob, eve] = [newId(), newId(), newId()];
const by = 'installation';
const store = (id: string) => ({ kind: 'store', id });

before(async () => {
  ({ db, drop } = await testDb());
  for (const [id, email] of [
    [ann, 'ann@example.org'],
    [bob, 'bob@example.org'],
    [eve, 'eve@example.org'],
  ])
    await db.run(`insert into account_holder (id, email, email_key, locale, created_at) values ($1, $2, $2, 'en', now())`, [
      id,
      email,
    ]);
  await writeHolderMacs(db);
  await db.tx(async (tx) => {
    await setResourceRole(tx, { kind: 'store', role: 'clerk', permissions: ['orders.read'], by });
    await setResourceRole(tx, { kind: 'store', role: 'owner', permissions: ['orders.read', 'wallets.read'], by });
    await setResourceRole(tx, { kind: 'business', role: 'owner', permissions: ['wallets.read'], by });
  });
});
after(() => drop());

const held = async (holder: string, kind = 'store') =>
  (await grantsOf(db, holder, kind)).map(({ on, permissions }) => [on?.id, ...permissions]).toSorted();
const grant = (holderId: string, on: { kind: string; id: string }, role?: string) =>
  db.tx((tx) => grantRole(tx, { holderId, on, role, by }));

test('an account has another role on each of several resources, and none that it was not given', async () => {
  await grant(ann, store('s1'), 'owner');
  await grant(ann, store('s2'), 'clerk');
  await grant(ann, { kind: 'business', id: 's1' }, 'owner');
  assert.deepEqual(await held(ann), [
    ['s1', 'orders.read', 'wallets.read'],
    ['s2', 'orders.read'],
  ]);
  assert.deepEqual(await held(ann, 'business'), [['s1', 'wallets.read']]);
  assert.deepEqual(await held(bob), []);
});

test('the newest row counts: a role is changed, taken away, and changes for all who have it', async () => {
  await grant(bob, store('s1'), 'clerk');
  await grant(bob, store('s2'), 'clerk');
  await grant(bob, store('s1'), 'owner');
  await grant(bob, store('s2'));
  assert.deepEqual(await held(bob), [['s1', 'orders.read', 'wallets.read']]);
  await db.tx((tx) => setResourceRole(tx, { kind: 'store', role: 'owner', permissions: [], by }));
  assert.deepEqual(await held(bob), [['s1']]);
  await grant(bob, store('s3'), 'a role that nobody stated');
  assert.deepEqual(await held(bob), [['s1']]);
});

test('a role or a grant inserted by SQL grants nothing', async () => {
  const before = await held(ann);
  await db.run(
    `insert into resource_grant (holder_id, resource_kind, resource_id, role, since, by) values ($1, 'store', 's9', 'owner', clock_now(), 'eve')`,
    [ann],
  );
  await db.run(
    `insert into resource_role (resource_kind, role, permissions, since, by) values ('store', 'clerk', '{wallets.read}', clock_now(), 'eve')`,
  );
  await db.run(
    `insert into resource_grant (holder_id, resource_kind, resource_id, role, since, by, mac)
     select $1, resource_kind, resource_id, role, since, by, mac from resource_grant where holder_id = $2`,
    [eve, ann],
  );
  assert.deepEqual(await held(ann), before);
  assert.deepEqual(await held(eve), []);
});

test('rows of both histories can’t be changed', async () => {
  for (const wrong of [`update resource_grant set role = 'owner'`, 'delete from resource_grant', 'delete from resource_role'])
    await assert.rejects(db.run(wrong), /never changed/);
});
