// Explores every sequence of events of an invoice in small worlds, with up to three payments. The table, the steps and the
// postings are the product's own; the rules that they are compared with are not. The full run has wider worlds
// (invoice.exhaustive.full.test.ts), and broken-invoices.test.ts breaks the machine.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { INVOICE_MACHINE } from '../invoices/invoice-machine.ts';
import { explore } from './exploration.testing.ts';
import { QUICK, worldWords } from './invoice-worlds.testing.ts';
import type { Row } from './invoice-world.testing.ts';

describe('an invoice with its payments, in small worlds: its sums, states and accounts are those of the rules', () => {
  const [fired, states] = [new Set<Row>(), new Set<string>()];
  for (const world of QUICK)
    test(worldWords(world), (t) => {
      const found = explore(world);
      t.diagnostic(`${found.nodes} nodes`);
      assert.equal(found.fault, undefined);
      for (const row of found.fired) fired.add(row);
      for (const state of found.states) states.add(state);
    });

  test('every state is reached, and every row of the table fires', () => {
    assert.deepEqual([...states].toSorted(), Object.keys(INVOICE_MACHINE.states).toSorted());
    const idle = INVOICE_MACHINE.rows.filter((row) => !fired.has(row)).map(({ from, event }) => `${from.join(', ')} ${event}`);
    assert.deepEqual(idle, []);
  });
});
