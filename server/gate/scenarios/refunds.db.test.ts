// Refunds of stores: made, claimed wholly and in parts, in another currency, cancelled, expired, and come back.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { format, money } from '@kurs/money';
import { csvOf } from '../../platform/index.ts';
import { refusal } from '../../platform/testing.ts';
import { handedOf } from '../invoices/invoice.ts';
import { refundAmountsView } from '../refunds/views/refund-amounts.ts';
import { refundRows } from '../bookkeeping/refund-rows.ts';
import { entryPage } from '../bookkeeping/report.ts';
import { cancelRefund } from '../refunds/actions/end-refund.ts';
import { allRefunds } from '../refunds/views/refund-list.ts';
import { eventsOfRefund } from '../rows/event-rows.ts';
import { type RefundWorld, openRefundWorld, usdt } from './refund-world.testing.ts';

let world: RefundWorld;
before(async () => {
  world = await openRefundWorld('5000');
});
after(() => world.close());

test('a refund leaves the balance at once, is claimed, and arrives less the cost of sending', async () => {
  const before = await world.merchant('USDT');
  const invoice = await world.paid('100.00');
  const has = await world.merchant('USDT');
  const refund = await world.refund({ invoice: invoice.view.id, amount: '60.00' });
  assert.equal(refund.state, 'open');
  assert.equal(has - (await world.merchant('USDT')), refund.taken.parts);
  assert.equal(await world.held(refund), refund.taken.parts);
  assert.deepEqual(await world.prove(), []);
  await world.claim(refund);
  const { refund: paying, claims } = await world.look(refund);
  assert.equal(paying.state, 'paying');
  const [claim] = claims;
  assert.ok(claim && claim.fee > 0n && claim.parts + claim.fee === refund.taken.parts);
  assert.equal(await world.held(refund), 0n);
  assert.deepEqual(await world.prove(), []);
  await world.send();
  const done = await world.look(refund);
  assert.deepEqual([done.refund.state, done.claims[0]?.state], ['paid', 'done']);
  const told = (await eventsOfRefund(world.db, refund.id)).map(({ kind }) => kind);
  assert.deepEqual(told, ['refund.created', 'refund.claimed', 'refund.paid']);
  assert.ok(before < has);
  assert.deepEqual(await world.prove(), []);
});

test('a refund is claimed in parts, and one part in another currency with its spread', async () => {
  const invoice = await world.paid('200.00');
  const refund = await world.refund({ invoice: invoice.view.id, amount: '150.00' });
  await world.claim(refund, { amount: '50' });
  const before = await world.desk('USDT');
  await world.claim(refund, { method: 'BTC', amount: '80' });
  const { refund: half, claims } = await world.look(refund);
  assert.equal(half.rests[0]?.parts, refund.taken.parts - usdt('130'));
  const converted = claims.find(({ currency }) => currency === 'BTC');
  assert.ok(converted?.price);
  const now = await world.desk('USDT');
  assert.ok(now.spread > before.spread, 'the direction’s spread');
  assert.equal(now.free - before.free, converted.price.exchanged);
  await world.send();
  assert.equal((await world.look(refund)).refund.state, 'open');
  assert.equal(await refusal(() => world.claim(refund, { amount: '20.5' })), 'amount_above_rest');
  await world.claim(refund);
  await world.send();
  const { refund: paid, claims: all } = await world.look(refund);
  assert.deepEqual([paid.state, all.length], ['paid', 3]);
  assert.deepEqual(await world.prove(), []);
  assert.equal(await refusal(() => world.claim(refund)), 'refund_over');
});

test('the report says the invoice, the rate and the worth of a refund and of what returns of it, and none without an invoice', async () => {
  const invoice = await world.paid('100.00');
  const refund = await world.refund({ invoice: invoice.view.id, amount: '20.00' });
  await cancelRefund(world.db, { store: world.store.id, id: refund.id });
  const free = await world.refund({ amount: '5.00' });
  const { entries } = await entryPage(world.db, { store: world.store.id, per_page: 3 });
  await cancelRefund(world.db, { store: world.store.id, id: free.id });
  assert.deepEqual(
    entries.map(({ kind, invoice: of, rate, worth }) => [kind, of?.id, rate, worth]),
    [
      ['refund', undefined, undefined, undefined],
      ['refund_back', invoice.view.id, '1', '20.00'],
      ['refund', invoice.view.id, '1', '-20.00'],
    ],
  );
});

test('refunds of an invoice are together at most what was paid then, or its worth now', async () => {
  const invoice = await world.paid('100.00', 'BTC');
  const first = await world.refund({ invoice: invoice.view.id, amount: '70.00' });
  assert.equal(await refusal(() => world.refund({ invoice: invoice.view.id, amount: '40.00' })), 'refund_too_large');
  await world.price('180000');
  const second = await world.refund({ invoice: invoice.view.id, amount: '100.00' });
  await world.price('90000');
  assert.equal(await refusal(() => world.refund({ invoice: invoice.view.id, amount: '1.00' })), 'refund_too_large');
  for (const { id } of [first, second]) await cancelRefund(world.db, { store: world.store.id, id });
  await world
    .refund({ invoice: invoice.view.id, amount: '1.00' })
    .then(({ id }) => cancelRefund(world.db, { store: world.store.id, id }));
  assert.deepEqual(await world.prove(), []);
});

test('a refund above the balance is refused, and two at once don’t take it twice', async () => {
  const free = await world.merchant('USDT');
  const most = (Number(free) / 1e6 - 0.5).toFixed(2);
  assert.equal(await refusal(() => world.refund({ amount: '9000.00' })), 'refund_not_covered');
  const both = await Promise.allSettled([world.refund({ amount: most }), world.refund({ amount: most })]);
  assert.deepEqual(both.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
  const [made] = both.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  assert.ok(made);
  await cancelRefund(world.db, { store: world.store.id, id: made.id });
  assert.equal(await world.merchant('USDT'), free, 'all of it is back');
  assert.equal((await world.look(made)).refund.state, 'cancelled');
  assert.deepEqual(await world.prove(), []);
});

for (const isProposed of [false, true])
  test(`of two claims of the same money at once, one wins${isProposed ? ' and waits for a member' : ''}`, async () => {
    const wanted = { amount: '40.00', invoice: (await world.paid()).view.id };
    const refund = await world.refund(wanted, { ...world.ownerOfStore, isProposed });
    const both = await Promise.allSettled([world.claim(refund), world.claim(refund)]);
    assert.deepEqual(both.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
    assert.equal((await world.look(refund)).claims.length, 1);
    await world.send();
    assert.deepEqual(await world.prove(), []);
  });

test('of a claim and a cancellation at once, one wins', async () => {
  const refund = await world.refund({ amount: '40.00', invoice: (await world.paid()).view.id });
  const store = world.store.id;
  const both = await Promise.allSettled([world.claim(refund), cancelRefund(world.db, { store, id: refund.id })]);
  assert.deepEqual(both.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
  await world.send();
  const { refund: now, claims } = await world.look(refund);
  assert.equal(now.state, claims.length === 1 ? 'paid' : 'cancelled');
  assert.equal(await world.held(refund), 0n);
  assert.deepEqual(await world.prove(), []);
});

test('what nobody claimed in time returns to the store', async () => {
  const invoice = await world.paid();
  const free = await world.merchant('USDT');
  const refund = await world.refund({ amount: '80.00', invoice: invoice.view.id });
  await world.claim(refund, { amount: '30' });
  await world.send();
  await world.pass(31 * 24 * 60);
  const { refund: over } = await world.look(refund);
  assert.deepEqual([over.state, over.rests], ['expired', []]);
  assert.equal(await world.merchant('USDT'), free - usdt('30'));
  assert.equal(await refusal(() => world.claim(refund)), 'refund_over');
  assert.deepEqual(await world.prove(), []);
});

test('a payout that comes back stands in the refund again, in its own coin, for another account', async () => {
  const refund = await world.refund({ amount: '90.00', invoice: (await world.paid()).view.id });
  await world.claim(refund, { method: 'BTC' });
  await world.send();
  const [claim] = (await world.look(refund)).claims;
  assert.equal(claim?.state, 'done');
  world.rails.BTC.world.revert(claim.txid ?? '');
  await world.send();
  const back = await world.look(refund);
  assert.deepEqual([back.refund.state, back.claims[0]?.state], ['open', 'returned']);
  assert.deepEqual(back.refund.rests, [{ unit: 'BTC', parts: claim.parts }]);
  assert.deepEqual(await world.prove(), []);
  await world.claim(refund, { method: 'BTC', to: world.rails.BTC.receiver() });
  await world.send();
  assert.equal((await world.look(refund)).refund.state, 'paid');
  assert.deepEqual(await world.prove(), []);
});

test('refunds are exported by the list’s filter, with what was paid of them, and nothing that a spreadsheet would run', async () => {
  const invoice = await world.paid();
  const [first, second] = [
    await world.refund({ amount: '30.00', invoice: invoice.view.id, note: '=1+1' }),
    await world.refund({ amount: '5.00', currency: 'USDT', email: 'buyer@example.org' }),
  ];
  await world.claim(first, { amount: '20' });
  await world.send();
  const { claims } = await world.look(first);
  const linesOf = async (filter: Omit<Parameters<typeof refundRows>[1], 'store'>): Promise<string[][]> => {
    let file = '';
    for await (const piece of csvOf(refundRows(world.db, { store: world.store.id, ...filter }))) file += piece;
    return file
      .replace('\uFEFF', '')
      .trimEnd()
      .split('\r\n')
      .map((line) => line.split(','));
  };
  const [head = [], line = [], ...others] = await linesOf({ q: first.number });
  const cell = (name: string): string | undefined => line[head.indexOf(name)];
  assert.deepEqual([others, line.length], [[], head.length]);
  assert.deepEqual(['refund', 'state', 'invoice', 'currency', 'amount', 'taken_currency', 'unclaimed', 'note'].map(cell), [
    first.number,
    'open',
    invoice.number,
    'USD',
    '30.00',
    'USDT',
    '10.00 USDT',
    "'=1+1",
  ]);
  assert.equal(cell('paid'), `${format(money('USDT', claims[0]?.parts ?? 0n), 2)} USDT`);
  const numbers = async (filter: Parameters<typeof linesOf>[0]) => (await linesOf(filter)).slice(1).map(([number]) => number);
  assert.deepEqual(await numbers({ q: 'BUYER@example.org' }), [second.number]);
  assert.ok((await numbers({ state: ['open'] })).includes(first.number));
  assert.ok(!(await numbers({ state: ['paid'] })).includes(first.number));
  const all: string[] = [];
  for await (const group of allRefunds(world.db, { store: world.store.id }, 2)) all.push(...group.map(({ number }) => number));
  assert.deepEqual(all, await numbers({}), 'in groups of any size');
});

test('a refund is made by one of three amounts, each with what it takes, and never above the most that may be refunded', async () => {
  const made = await world.make({ amount: '100.00', email: 'buyer@example.org' });
  const option = await world.choose(made, 'BTC');
  world.rails.BTC.world.pay(option.to ?? assert.fail(), (option.parts ?? 0n) * 2n);
  await world.mine();
  const wanted = { store: world.store.id, invoice: made.view.id };
  const amounts = () => refundAmountsView(world.db, wanted);
  const before = await amounts();
  const [payment = assert.fail()] = (await world.read(made)).view.payments;
  assert.deepEqual([before.currency, before.paid.amount, before.refunded], ['USD', '100.00', '0.00']);
  assert.deepEqual(before.over, [{ amount: format(money('BTC', handedOf(payment)), 8), currency: 'BTC' }]);
  assert.ok(before.paid.open && before.most.open);
  await world.price('180000');
  const dearer = await amounts();
  assert.equal(dearer.paid.amount, '100.00');
  assert.ok(Number(dearer.worth?.amount) > 195, JSON.stringify(dearer.worth));
  assert.deepEqual(dearer.most, dearer.worth, 'the larger of both');
  const refund = await world.refund({ invoice: made.view.id, amount: dearer.most.amount });
  assert.deepEqual(dearer.most.takes, { amount: format(money('USDT', refund.taken.parts), 2), currency: 'USDT' });
  const after = await amounts();
  assert.deepEqual([after.refunded, after.most.amount, after.paid.open], [dearer.most.amount, '0.00', false]);
  assert.equal(await refusal(() => world.refund({ invoice: made.view.id, amount: '0.01' })), 'refund_too_large');
  await cancelRefund(world.db, { store: world.store.id, id: refund.id });
  await world.price('90000');
  const again = await amounts();
  assert.deepEqual([again.refunded, again.most.amount], ['0.00', before.most.amount]);
  assert.deepEqual(await world.prove(), []);
});
