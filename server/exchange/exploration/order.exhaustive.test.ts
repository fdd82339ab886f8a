// Explores every interleaving of an order, its payout, a hidden rail and impatient people, in small worlds. It uses the product's
// own machines, guards, steps and postings, and each status of the payout, not each attempt. The full run explores all worlds
// (order.exhaustive.full.test.ts); broken-orders.test.ts uses deliberately broken tables.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createMachine } from '../machine/machine.ts';
import { ROWS } from '../machine/rows.ts';
import { ORDER_STATES, type OrderState } from '../order/order.ts';
import { explore } from './exploration.testing.ts';
import { QUICK_WORLDS, worldWords } from './order-worlds.testing.ts';

describe('the order machine with its payout, in small worlds', () => {
  const reached = new Set<OrderState>();
  for (const world of QUICK_WORLDS) {
    test(worldWords(world), (t) => {
      const { nodes, fault, states } = explore(createMachine(), world.starts, world);
      for (const state of states) reached.add(state);
      t.diagnostic(`${nodes} nodes`);
      assert.equal(fault, undefined);
    });
  }

  test('every state is reached; order-world.testing.ts must try the event that leads to a new state', () => {
    assert.deepEqual([...reached].toSorted(), [...ORDER_STATES].toSorted());
  });
});

test('the table has 18 states and 62 rows', () => {
  assert.equal(ORDER_STATES.length, 18);
  assert.equal(ROWS.length, 62);
});
