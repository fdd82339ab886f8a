// Explores every interleaving of an order, a hidden rail and impatient people, in bounded worlds, with the product's own machine,
// guards, steps and postings. broken-orders.test.ts explores some worlds with deliberately broken tables.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { explore } from './exploration.testing.ts';
import { createMachine } from '../machine/machine.ts';
import { ORDER_STATES, type OrderState } from '../order/order.ts';
import { WORLDS, worldWords } from './order-worlds.testing.ts';
import { ROWS, type OrderTransition } from '../machine/rows.ts';

describe('the order machine, exhaustively', () => {
  const fired = new Set<OrderTransition>();
  const needsPeople = new Set<string>();
  const states = new Set<OrderState>();
  for (const world of WORLDS) {
    test(worldWords(world), (t) => {
      const found = explore(createMachine(), world.starts, world);
      t.diagnostic(`${found.nodes} nodes, ${found.steps} steps`);
      assert.equal(found.fault, undefined);
      for (const row of found.fired) fired.add(row);
      for (const why of found.needsPeople.keys()) needsPeople.add(why);
      for (const state of found.states) states.add(state);
    });
  }

  test('every state is reached and every row fires', () => {
    assert.deepEqual([...states].sort(), [...ORDER_STATES].sort());
    const idle = ROWS.filter((row) => !fired.has(row)).map((row) => `${row.from[0]} ${row.event}`);
    assert.deepEqual(idle, []);
  });

  test('only a hard hold, and a doubt on a rail without look-up, need a person', () => {
    assert.deepEqual([...needsPeople].sort(), [
      'holding (hard)',
      'paying (rail without look-up)',
      'refunding (rail without look-up)',
    ]);
  });
});
