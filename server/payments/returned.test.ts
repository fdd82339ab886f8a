// What came back of a payout that was sent: who bears what is short.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { returnedOf } from './returned.ts';

for (const [body, came, lost, why] of [
  [{}, 100n, 0n, 'all of it, where nobody says how much'],
  [{ back: '97' }, 97n, 3n, 'what the rail kept is the desk’s'],
  [{ back: '97', byReceiver: true }, 97n, 0n, 'unless the receiver is the cause'],
  [{ back: '0' }, 0n, 100n, 'nothing came'],
  [{ back: '101' }, 100n, 0n, 'no more than was sent'],
] as const) {
  test(`${JSON.stringify(body)}: ${why}`, () => assert.deepEqual(returnedOf(body, 100n), { came, lost }));
}
