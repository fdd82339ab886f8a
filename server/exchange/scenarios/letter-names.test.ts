// No letter about an order names money by an internal code. This checks every kind of letter in every state of an order, in both
// languages, with one payment system's dollars exchanged for another's.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { useRails } from '../../payments/index.ts';
import type { Rail } from '../../rails/rail.ts';
import { composeLetter } from '../letters/compose-letter.ts';
import type { LetterKind } from '../letters/letter-kind.ts';
import { createMachine } from '../machine/machine.ts';
import type { OrderView } from '../order/order.ts';
import type { StoredOrder } from '../order/store/order-store.ts';
import { begin, stepsOf } from '../exploration/order-world.testing.ts';
import { QUICK_WORLDS } from '../exploration/order-worlds.testing.ts';

const KINDS: Readonly<Record<LetterKind, true>> = {
  ...{ placed: true, received: true, needs_you: true, checking: true, papers: true, done: true },
  ...{ refunded: true, rejected: true, reversed: true, late_coupon: true, code: true, link: true },
};
const INTERNAL = /PAYEER_USD|PAYPAL_USD|\bundefined\b|\{\w+\}/;

before(() => {
  const rail = (id: string, code: string, network: string): [string, Rail] => [
    id,
    {
      id,
      kind: 'provider',
      currencies: [{ code, unit: code, network, payDigits: 2, railScale: 2, fields: [], dust: 1n }],
    } as unknown as Rail,
  ];
  useRails(new Map([rail('payeer', 'PAYEER_USD', 'Payeer'), rail('paypal', 'PAYPAL_USD', 'PayPal')]));
});

/** Returns one order for each state and way into it, as the machine reaches them. */
function views(): OrderView[] {
  const machine = createMachine();
  const found = new Map<string, OrderView>();
  for (const world of QUICK_WORLDS) {
    const open = world.starts.map((start) => begin(start, world));
    const known = new Set<string>();
    for (let node = open.shift(); node && known.size < 1_600; node = open.shift()) {
      const { state, kind, facts, positions } = node.order;
      const key = [
        state,
        kind,
        Object.keys(facts).sort(),
        Object.entries(positions).map(([name, parts]) => parts > 0n && name),
      ].join();
      // The payout's outcome decides how the same order goes on.
      const { status, truth, rail } = node.sending ?? {};
      const way = [key, status, truth, rail?.canLookUp, rail?.hasMemory, ...node.undelivered].join();
      if (known.has(way)) continue;
      known.add(way);
      found.set(key, node.order);
      open.push(...stepsOf(machine, node, world).map((step) => step.node));
    }
  }
  return [...found.values()].map((view) => ({
    ...view,
    give: { ...view.give, unit: 'PAYEER_USD', currency: 'PAYEER_USD' },
    ...(view.get && { get: { ...view.get, unit: 'PAYPAL_USD', currency: 'PAYPAL_USD' } }),
  }));
}

test('every letter about an order names money as people do', () => {
  const met = views();
  assert.ok(met.length > 200, String(met.length));
  let named = 0;
  for (const view of met) {
    for (const locale of ['en', 'ru'] as const) {
      for (const kind of Object.keys(KINDS) as LetterKind[]) {
        const { subject, paragraphs, facts } = composeLetter({ view, number: 'KX-1', locale } as StoredOrder, kind, {
          code: '123456',
        });
        const text = [subject, ...paragraphs, ...facts.flat()].join('\n');
        assert.doesNotMatch(text, INTERNAL, `${kind} in ${view.state}, ${locale}`);
        if (/\d\u00a0USD \(Payeer\)/.test(text)) named += 1;
      }
    }
  }
  assert.ok(named > 100, 'where several have dollars, the letter says whose');
});
