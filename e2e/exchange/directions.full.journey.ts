// Completes an order of every enabled direction over the API, whatever its rails, and then verifies the ledger.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { awaits, reaches } from '../customers/customer.ts';
import { type AnyOrder, faultOf, isClearing, openDirections, orderAndPay, together } from '../customers/order-any.ts';
import { type System, startSystem } from '../harness/system.ts';

let system: System;
before(async () => {
  system = await startSystem();
});
after(() => system?.stop());

/** Maximum number of simultaneous orders. */
const TOGETHER = 6;
/** Time in seconds that exceeds the clearing period of reversible payments. */
const CLEARING_SECONDS = 73 * 3_600;
const PATIENCE_MS = 180_000;

test('every enabled direction is open, and its order is paid and paid out; then the books are proven', async (t) => {
  const client = system.client();
  const directions = await openDirections(client);
  const clearing: AnyOrder[] = [];
  const failed = await together(
    directions,
    TOGETHER,
    ({ slug }) => slug,
    async (direction) => {
      const order = await orderAndPay(system, direction);
      const paid = await awaits(client, order, 'to be paid', (one) => one.status === 'done' || isClearing(one), PATIENCE_MS);
      if (paid.status !== 'done') clearing.push(order);
      const fault = await faultOf(client, order);
      if (fault !== undefined) throw new Error(fault);
    },
  );
  t.diagnostic(`${directions.length} directions, of which ${clearing.length} clear`);
  if (clearing.length > 0) await client.sandboxClock({ skip: CLEARING_SECONDS });
  for (const order of clearing) {
    await reaches(client, order, 'done', PATIENCE_MS);
    const fault = await faultOf(client, order);
    if (fault !== undefined) failed.push(fault);
  }
  assert.deepEqual(failed, []);
  const { code, output } = await system.tool('verify.ts');
  assert.equal(code, 0, output);
});
