// A role's permissions are changed by two people of the desk who have them, and the history names them.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Showing } from '../../exchange/index.ts';
import type { Context, Db } from '../../platform/index.ts';
import { refusal, testDb, testSealer } from '../../platform/testing.ts';
import { alteredRoles } from './change-role.ts';
import { authenticate, addOperator } from './people.ts';
import type { Role } from './roles.ts';
import { operatorRoutes } from '../routes.ts';
import { OWNERS } from '../owners.testing.ts';

let db: Db;
let owner: Db;
let drop: () => Promise<void>;
let handlers: ReturnType<typeof operatorRoutes>;
const keys: Record<string, string> = {};
before(async () => {
  ({ db, owner, drop } = await testDb());
  handlers = operatorRoutes({ db } as Showing, {
    isSandbox: true,
    owners: OWNERS,
    name: 'Kurs',
    sealer: testSealer,
    hasAlarmSince: async () => false,
  });
  const people: [string, Role][] = [
    ['ann', 'operator'],
    ['bob', 'operator'],
    ['kim', 'compliance'],
    ['lou', 'compliance'],
  ];
  for (const [name, role] of people) keys[name] = (await db.tx((tx) => addOperator(tx, name, role))).key;
});
after(() => drop());

const person = async (name: string) => (await authenticate(db, keys[name] ?? '')) ?? assert.fail(name);
const as = async (name: string): Promise<Context> => ({ operator: await person(name) }) as unknown as Context;
const rolesNow = async () => handlers.operatorRoles({}, await as('ann'));
const of = async (role: Role): Promise<string[]> => (await rolesNow()).find((one) => one.role === role)?.permissions ?? [];
const change = async (name: string, role: Role, permissions: readonly string[]) =>
  handlers.operatorRole({ role, permissions: permissions as never, reason: 'for a test' }, await as(name));
const refused = (name: string, role: Role, permissions: readonly string[]) => refusal(() => change(name, role, permissions));

test('two who may do it themselves change a role; it counts at the next call, and the history keeps by whom', async () => {
  const before = await of('operator');
  const without = before.filter((one) => one !== 'rails.switch');
  assert.equal((await change('ann', 'operator', without)).status, 'awaiting_second');
  assert.equal(await refused('ann', 'operator', without), 'same_person');
  assert.equal(await refused('kim', 'operator', without), 'forbidden', 'compliance has no rails.switch to take');
  assert.ok((await person('ann')).permissions.includes('rails.switch'));
  assert.equal((await change('bob', 'operator', without)).status, 'done');
  assert.equal((await person('ann')).permissions.includes('rails.switch'), false);
  const now = (await rolesNow()).find(({ role }) => role === 'operator');
  assert.deepEqual([now?.by, now?.permissions.toSorted()], ['ann and bob', without.toSorted()]);
  const history = await db.rows(`select by from desk_role where role = 'operator' and action is not null`);
  assert.equal(history.length, 1, 'one row for one change');
  assert.equal(await refused('kim', 'operator', before), 'forbidden', 'it was never hers to give');
  assert.equal((await change('bob', 'operator', before)).status, 'awaiting_second');
  assert.equal((await change('ann', 'operator', before)).status, 'done', 'the desk gives back what it took itself');
  assert.deepEqual((await of('operator')).toSorted(), before.toSorted());
  await owner.run(`insert into desk_role (role, permissions, by) values ('operator', $1, 'the owner')`, [without]);
  assert.equal(await refused('ann', 'operator', before), 'forbidden', 'what the owner of the database took stays taken');
});

test('nobody gives permissions that they don’t have, and the permissions for undoing a change stay', async () => {
  assert.equal(await refused('ann', 'operator', [...(await of('operator')), 'orders.judge']), 'forbidden');
  assert.equal(await refused('kim', 'compliance', [...(await of('compliance')), 'money.move']), 'forbidden');
  for (const stored of ['session.begin', 'people.change', 'requests.consent'])
    assert.equal(
      await refused(
        'kim',
        'compliance',
        (await of('compliance')).filter((one) => one !== stored),
      ),
      'role_keeps',
      stored,
    );
  assert.equal(await refused('kim', 'compliance', await of('compliance')), 'role_is_so');
});

test('a request about a role that has changed since is void', async () => {
  const now = await of('compliance');
  const without = (name: string) => now.filter((one) => one !== name);
  const request = await change('kim', 'compliance', without('alarms.read'));
  assert.equal(request.status, 'awaiting_second');
  await owner.run(`insert into desk_role (role, permissions, by) values ('compliance', $1, 'the owner')`, [
    without('tickets.read'),
  ]);
  const consent = async () => handlers.operatorConsent({ id: (request as { request: string }).request }, await as('lou'));
  assert.equal(await refusal(consent), 'forbidden', 'it would give back what lou has no more');
});

test('a role changed by SQL is reported, and its previous permissions count', async () => {
  assert.deepEqual(await alteredRoles(db), []);
  const row = `insert into desk_role (role, permissions, by, action)`;
  await assert.rejects(db.run(`insert into desk_role (role, permissions, by) values ('operator', '{}', 'ann')`), /by an action/);
  const action = await db.row<{ id: string }>(`select id from audit where action = 'role' and outcome = 'asked' limit 1`);
  const before = await of('compliance');
  await db.run(`${row} values ('compliance', '{money.move}', 'ann and bob', $1)`, [action?.id]);
  assert.deepEqual((await as('kim')).operator?.permissions, before, 'nobody may do more by it');
  assert.deepEqual(await of('compliance'), before);
  assert.deepEqual(await alteredRoles(db), ['compliance']);
});
