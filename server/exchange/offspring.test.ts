import assert from 'node:assert/strict';
import { test } from 'node:test';
import { orderFromStray, strayOf } from './offspring.ts';
import type { Offer, Payment } from './order.ts';
import type { StoredOrder } from './order-store.ts';
import { begin } from './order-world.testing.ts';

const NOW = new Date(0);
const final = (parts: bigint): Payment => ({ id: 'p', standing: 'final', parts }) as Payment;
const placed = begin(
  { kind: 'order', route: true, askMe: false },
  { sizes: [], pays: 1, reversals: 0, wins: 0, returns: 0, retries: 0 },
).order;
const parent = { view: placed, number: 'KX', email: '', locale: 'en' } as unknown as StoredOrder;

test('what another payment had settled goes along with the money that is split off, and with that of a new order', () => {
  const stray = strayOf(parent, { id: 's', pieces: [final(60n)], settled: 40n }, '', NOW).view;
  assert.deepEqual([stray.positions.in, stray.give.parts, stray.facts.settled], [100n, 100n, 40n]);
  const offer = { number: 1, slip: { get: { parts: 7n } }, version: '1' } as unknown as Offer;
  const order = orderFromStray(
    { ...parent, view: stray },
    { do: 'open_order', id: 'o', parts: 100n, offer, payments: [final(60n)] },
    '',
    NOW,
  ).view;
  assert.deepEqual([order.positions.in, order.facts.settled], [100n, 40n]);
  const whole = strayOf(parent, { id: 't', pieces: [final(60n)] }, '', NOW).view;
  assert.deepEqual([whole.positions.in, whole.facts.settled], [60n, undefined]);
});
