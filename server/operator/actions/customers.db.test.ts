// The desk's blocks: by the keys of an order, by an address of a chain, and by a network until a moment.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openBlocks } from '../../compliance/index.ts';
import { type World, openWorld } from '../../exchange/testing.ts';
import { refusal } from '../../platform/testing.ts';
import { addPerson } from '../people/person.testing.ts';
import type { Person } from '../people/roles.ts';
import { block, keysView } from './customers.ts';

let world: World;
let kim: Person;
before(async () => {
  world = await openWorld();
  kim = await addPerson(world.db, 'kim', 'compliance');
});
after(() => world.close());

const letter = { evidence: 'a letter', reason: 'for a test' };

test('each proven key of an order can be blocked, an address in all currencies of its chain', async () => {
  const order = await world.place({ email: 'ann@example.org' });
  const keys = await keysView(world.db, { order: order.number });
  const kinds = [...new Set(keys.map(({ key }) => key.split(':')[0]))].sort();
  assert.deepEqual(kinds, ['address', 'device', 'email', 'net']);
  const until = new Date((await world.db.now()).getTime() + 3_600_000).toISOString();
  for (const { key } of keys) {
    const end = /^(device|net):/.test(key) ? { until } : {};
    assert.equal((await block(world.db, kim, { who: key, ...end, ...letter })).status, 'done', key);
    const [made] = await openBlocks(world.db, key);
    assert.ok(made, `no block is called ${key}`);
    if (key.startsWith('address:')) assert.match(made.keys.join(' '), /^address:[A-Z0-9_]+:.+/);
  }
  assert.equal(await refusal(() => keysView(world.db, { order: 'KX-0000-0000' })), 'order_not_found');
});

test('an order without proven keys can’t be blocked, and a block of a device needs an end', async () => {
  const order = await world.place({ email: 'bob@example.org' });
  const who = order.number;
  assert.equal(await refusal(() => block(world.db, kim, { who, ...letter })), 'end_needed');
  await world.db.run('update customer_order set device = null where number = $1', [who]);
  assert.equal(await refusal(() => block(world.db, kim, { who, ...letter })), 'nothing_shown');
});
