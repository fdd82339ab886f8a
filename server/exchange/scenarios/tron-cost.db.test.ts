import { randomUUID } from 'node:crypto';
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Money, format, money, parse, breakdownForGive } from '@kurs/money';
import { accounts, post } from '../../ledger/index.ts';
import { paymentsDeps, paymentsWork, useRails } from '../../payments/index.ts';
import { seedPricing } from '../../pricing/index.ts';
import { type TronWorld, tronWorld } from '../../rails/testing.ts';
import { type CalculationDeps, step1, step2, step3 } from '../calculation/calculate.ts';
import type { StoredOrder } from '../order/store/order-store.ts';
import { placeOrder } from '../actions/place-order.ts';
import { type World, openWorld } from './world.testing.ts';

// The desk with TRON’s own rail, over the sandbox's chain: the receiver determines the cost of sending.

let world: World;
let tron: TronWorld;
let calculating: CalculationDeps;
before(async () => {
  [world, tron] = await Promise.all([openWorld(), tronWorld()]);
  const { db, deps } = world;
  useRails(new Map([...Object.values(world.rails).map(({ rail }) => rail), tron.rail].map((rail) => [rail.id, rail])));
  calculating = { db, tokens: deps.sender.tokens, receipts: deps.receipts, approvalFor: () => 0, operators: async () => 2 };
  await tron.blocks(25);
  for (const { name, turn } of paymentsWork(paymentsDeps(db))) if (/:(watch|float):tron/.test(name)) await turn();
  const usual = await tron.rail.payout.estimate('USDT_TRC20');
  await db.tx(async (tx) => {
    await seedPricing(tx, {
      currencies: [{ code: 'USDT_TRC20', name: 'Tether', kind: 'crypto', confirmations: '20', position: 3 }],
      directions: [
        {
          slug: 'btc-usdt-trc20',
          from: 'BTC',
          to: 'USDT_TRC20',
          spread: [{ from: '0', percent: '0.5' }],
          isOn: true,
          position: 3,
        },
      ],
    });
    await tx.run(`insert into network_cost (currency, fuel, parts, at) values ('USDT_TRC20', $1, $2, now())`, [
      usual.currency,
      usual.parts,
    ]);
    const legs = [
      {
        from: accounts.custody('USDT_TRC20', 'hot', 'USDT'),
        to: accounts.deskFree('USDT'),
        parts: parse('USDT', '100000').parts,
      },
    ];
    await post(tx, [{ id: randomUUID(), kind: 'capital_in', cause: randomUUID(), legs }]);
  });
  await world.price('90000');
});
after(async () => {
  await tron.close();
  await world.close();
});

let customers = 0;
const request = { from: 'BTC', to: 'USDT_TRC20', amount: '0.005', side: 'give' } as const;

/** Returns the network line of a quote, in USDT; undefined if there is none. */
const networkOf = ({ quote }: Awaited<ReturnType<typeof step1>>) => quote.fees.find(({ code }) => code === 'network')?.amount;

/** Returns the network line of a placed order. */
function networkRetained({ view: { give, pinned } }: StoredOrder): string {
  assert.ok(pinned.terms);
  const breakdown = breakdownForGive({ unit: give.unit, parts: give.parts } as Money, pinned.terms);
  const line = breakdown.components.find(({ code }) => code === 'network') ?? assert.fail('no network line');
  return format(money(give.unit, line.amount));
}

/** Places a new customer’s order to an address; returns the network line at each step. */
async function orderTo(address: string): Promise<{ lines: unknown[]; get: string; order: StoredOrder }> {
  customers += 1;
  const visitor = { locale: 'en', device: `tron device ${customers}`, ip: `198.51.100.${customers}` } as const;
  const begun = await step1(calculating, request, visitor);
  const known = { id: begun.id, token: begun.token as string };
  const given = { receive: { address }, refund: { ...world.rails.BTC.receiver() }, email: `tron${customers}@example.org` };
  const second = await step2(calculating, { ...known, ...given, terms_accepted: true, ask_me: false }, visitor);
  const review = await step3(calculating, { ...known, bot_token: 'sandbox' }, visitor);
  // The cost of sending there changes before the placing: the held price stays the same.
  await tron.chain.fund({ currency: 'USDT_TRC20', to: address, amount: '1' });
  const again = await step3(calculating, { ...known, bot_token: 'sandbox' }, visitor);
  const order = await placeOrder(world.deps, known);
  return { lines: [begun, second, review, again].map(networkOf), get: review.quote.get.amount, order };
}

test('an order to an address that never held the token costs the dearer transfer from step 2 on, one to a holder half', async () => {
  const { address: fresh = '' } = await tron.receiver();
  const { address: holder = '' } = await tron.receiver();
  await tron.chain.fund({ currency: 'USDT_TRC20', to: holder, amount: '5' });
  const [dear, cheap] = [await orderTo(fresh), await orderTo(holder)];
  // 13.3735 TRX and 6.7735 TRX at 0.3 USD each, in BTC at 90 000 USD.
  const [twice, once] = ['0.00004458', '0.00002258'];
  assert.deepEqual(dear.lines, [twice, twice, twice, twice]);
  assert.deepEqual(cheap.lines, [twice, once, once, once]);
  assert.deepEqual([networkRetained(dear.order), networkRetained(cheap.order)], [twice, once], 'as the orders keep it');
  for (const { get, order } of [dear, cheap])
    assert.equal(order.view.get?.parts, parse('USDT', get).parts, 'they get what the review said');
});
