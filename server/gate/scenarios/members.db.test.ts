// Members of stores: invitations for the holder of an address, roles, removal, and rows that SQL changed.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Problem, STORE_ROLES } from '@kurs/contract';
import { grantRole } from '../../auth/index.ts';
import { writeHolderMacs } from '../../auth/testing.ts';
import { queuedLetters } from '../../deliveries/testing.ts';
import { advanceClock, newId } from '../../platform/index.ts';
import { addInvitation, invitationById } from '../members/invitation-rows.ts';
import { lockAsMember } from '../members/membership.ts';
import { type GateWorld, type Person, fieldWords, openGateWorld } from './gate-world.testing.ts';

let world: GateWorld;
before(async () => {
  world = await openGateWorld();
});
after(() => world.close());

const DAY_MS = 86_400_000;
const invite = (store: string, by: Person, email: string, role = 'developer') =>
  world.call('storeInvite', { store, email, role }, by);
const opens = async (store: string, by: Person) => (await world.call('store', { store }, by)).code;
const join = async (invitation: string, by: Person, accept = true) =>
  (await world.call('storeJoin', { invitation, accept }, by)).code;

test('the holder of the invited address joins with the role, and nobody else does', async () => {
  const [ann, bob, eve] = [await world.person(), await world.person(), await world.person()];
  const store = await world.store(ann, 'business');
  const { data } = await invite(store, ann, bob.email.toUpperCase());
  const [letter] = await queuedLetters(world.db, { to: bob.email.toUpperCase() });
  assert.match(letter?.text ?? '', new RegExp(`${ann.email}[^]*Maps & more[^]*developer[^]*/En/dashboard/business`));
  const [shown] = (await world.call('stores', {}, bob)).data.invitations;
  assert.deepEqual([shown?.id, shown?.store, shown?.role, shown?.by], [data.id, 'Maps & more', 'developer', ann.email]);
  assert.deepEqual((await world.call('stores', {}, eve)).data.invitations, []);
  assert.deepEqual([await join(data.id, eve), await join(data.id, ann)], ['invitation_over', 'invitation_over']);
  assert.equal(await opens(store, bob), 'forbidden');
  assert.equal(await join(data.id, bob), 'ok');
  assert.equal(await join(data.id, bob), 'invitation_over');
  const [own] = (await world.call('stores', {}, bob)).data.stores;
  assert.deepEqual(
    [own?.id, own?.role, own?.permissions.toSorted()],
    [store, 'developer', [...STORE_ROLES.developer].toSorted()],
  );
  assert.deepEqual((await invite(store, ann, bob.email)).fields, { email: fieldWords('already_member') });
  const { members, invitations, roles } = (await world.call('storeMembers', { store }, ann)).data;
  assert.deepEqual(
    members.map(({ id, role }) => [id, role]),
    [
      [bob.id, 'developer'],
      [ann.id, 'owner'],
    ],
  );
  assert.deepEqual([invitations, roles.length], [[], 4]);
});

test('an invitation ends by a decline, a withdrawal, another one, and after seven days', async () => {
  const [ann, bob] = [await world.person(), await world.person()];
  const store = await world.store(ann);
  const id = async () => (await invite(store, ann, bob.email)).data.id;
  const declined = await id();
  assert.equal(await join(declined, bob, false), 'ok');
  const second = await id();
  const withdraw = (one: string) => world.call('storeInviteWithdraw', { store, id: one }, ann);
  assert.deepEqual([(await withdraw(second)).code, (await withdraw(second)).code], ['ok', 'not_found']);
  const [third, fourth] = [await id(), await id()];
  assert.equal((await world.call('storeMembers', { store }, ann)).data.invitations.length, 1);
  for (const over of [declined, second, third]) assert.equal(await join(over, bob), 'invitation_over');
  await advanceClock(world.db, 7 * DAY_MS);
  assert.equal(await join(fourth, bob), 'invitation_over');
  assert.deepEqual((await world.call('stores', {}, bob)).data.invitations, []);
  assert.equal(await opens(store, bob), 'forbidden');
  assert.deepEqual(await world.accused(), []);
});

test('personal stores have no members', async () => {
  const [ann, bob] = [await world.person(), await world.person()];
  const store = await world.store(ann, 'personal');
  assert.equal((await invite(store, ann, bob.email)).code, 'store_without_members');
});

test('one account sends 30 invitations an hour, and three a day to an address without an account, five to one with', async () => {
  const ann = await world.person();
  const store = await world.store(ann);
  const codes: string[] = [];
  const [bob, eve] = [await world.person(), await world.person()];
  for (let count = 0; count < 6; count += 1) codes.push((await invite(store, ann, bob.email)).code);
  assert.deepEqual(codes.splice(0).slice(4), ['ok', 'rate_limited']);
  for (let count = 0; count < 4; count += 1) codes.push((await invite(store, ann, 'cat@example.org')).code);
  assert.deepEqual(codes.splice(0).slice(2), ['ok', 'rate_limited']);
  const another = await world.store(eve);
  assert.equal((await invite(another, eve, 'Cat@example.org')).code, 'rate_limited', 'also from another store');
  for (let count = 0; count < 21; count += 1) codes.push((await invite(store, ann, `cat${count}@example.org`)).code);
  assert.deepEqual(codes.slice(-2), ['ok', 'rate_limited']);
});

test('a store has 50 open invitations', async () => {
  const ann = await world.person();
  const store = await world.store(ann);
  const { db } = world;
  const first = await invite(store, ann, 'first@example.org');
  const usual = await invitationById(db, first.data.id);
  assert.ok(usual);
  await db.tx(async (tx) => {
    for (let count = 1; count < 50; count += 1)
      await addInvitation(tx, { ...usual, id: newId(), email: `${count}@example.org`, emailKey: `${count}@example.org` });
  });
  assert.deepEqual((await invite(store, ann, 'dan@example.org')).fields, {
    email: fieldWords('invitations_too_many', { max: '50' }),
  });
  assert.equal((await invite(store, ann, 'first@example.org')).code, 'ok', 'a replaced one does not count');
});

test('a member who is removed, or leaves, is refused by the next call; the owner stays', async () => {
  const ann = await world.person();
  const store = await world.store(ann);
  const [bob, cat] = [await world.member(store, 'manager'), await world.member(store, 'developer')];
  assert.equal(await opens(store, bob), 'ok');
  const change = (id: string, role: string, by = ann) => world.call('storeMemberChange', { store, id, role }, by);
  assert.equal((await change(bob.id, 'accountant', bob)).code, 'forbidden');
  assert.equal((await change(bob.id, 'accountant')).code, 'ok');
  assert.equal((await world.call('storeChange', { store, name: 'x' }, bob)).code, 'forbidden');
  assert.equal((await change(bob.id, 'owner')).code, 'validation');
  const remove = (id: string) => world.call('storeMemberRemove', { store, id }, ann);
  assert.deepEqual([(await remove(bob.id)).code, (await remove(bob.id)).code], ['ok', 'not_found']);
  assert.equal(await opens(store, bob), 'forbidden');
  // A call that was let in before the removal finds it under the lock of the store.
  const managing = { storeId: store, holderId: bob.id, wanted: 'invoices.read' } as const;
  await assert.rejects(
    world.db.tx((tx) => lockAsMember(tx, managing)),
    (error) => error instanceof Problem && error.code === 'forbidden',
  );
  const leave = async (by: Person) => (await world.call('storeLeave', { store }, by)).code;
  assert.deepEqual([await leave(cat), await leave(cat)], ['ok', 'forbidden']);
  assert.deepEqual(
    [await leave(ann), (await remove(ann.id)).code, (await change(ann.id, 'manager')).code],
    Array(3).fill('forbidden'),
  );
  assert.deepEqual(await world.accused(), []);
});

test('the last of two changes at once applies, whichever began first', async () => {
  const ann = await world.person();
  const store = await world.store(ann);
  const bob = await world.member(store, 'manager');
  const on = { kind: 'store', id: store };
  // The removal begins first and commits last.
  await world.db.tx(async (early) => {
    await world.db.tx((later) => grantRole(later, { holderId: bob.id, on, role: 'developer', by: ann.id }));
    await grantRole(early, { holderId: bob.id, on, by: ann.id });
  });
  assert.equal(await opens(store, bob), 'forbidden');
  assert.deepEqual(await world.accused(), []);
});

test('an invitation that SQL changed gives no role, and is accused', async () => {
  const [ann, eve] = [await world.person(), await world.person()];
  const store = await world.store(ann);
  const bob = await world.person();
  const changes = [
    'email_key = $2',
    `role = 'manager'`,
    `expires_at = expires_at + interval '1 day'`,
    'mac = null',
    `store_id = (select id from store where id <> store_id limit 1)`,
  ];
  for (const change of changes) {
    const { data } = await invite(store, ann, bob.email);
    await world.db.run(`update store_invitation set ${change} where id = $1 and $2::text is not null`, [data.id, eve.email]);
    for (const by of [bob, eve]) assert.equal(await join(data.id, by), 'invitation_over', change);
    assert.deepEqual(await world.accused(), [data.id]);
    await world.tamper(`delete from store_invitation where id = '${data.id}'`);
  }
  const { data } = await invite(store, ann, `${ann.id}0@example.org`);
  await world.call('storeInviteWithdraw', { store, id: data.id }, ann);
  await world.db.run('update store_invitation set ended_at = null, email_key = $2 where id = $1', [data.id, eve.email]);
  assert.equal(await join(data.id, eve), 'invitation_over');
  await invite(store, ann, eve.email);
  assert.deepEqual(await world.accused(), [data.id], 'what replaces an altered invitation does not make it valid');
});

test('no letter and no role goes to an account whose row SQL changed', async () => {
  const [ann, bob] = [await world.person(), await world.person()];
  const store = await world.store(ann);
  await world.db.run(`update account_holder set referral_alias = 'stolen' where id = $1`, [bob.id]);
  await invite(store, ann, bob.email);
  assert.deepEqual(await queuedLetters(world.db, { to: bob.email }), []);
  assert.equal((await world.call('stores', {}, bob)).code, 'unauthorised');
  await writeHolderMacs(world.db);
});
