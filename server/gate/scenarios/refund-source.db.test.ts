// Refunds of invoices that were paid by payments which can be taken back: they go back to these payments, out of the store's reserve.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Problem } from '@kurs/contract';
import { format, money, parse } from '@kurs/money';
import { alone } from '../../collecting/index.ts';
import { queuedLetters } from '../../deliveries/testing.ts';
import { accounts, balances } from '../../ledger/index.ts';
import { decidePayin } from '../../payments/index.ts';
import { takeBack } from '../../payments/testing.ts';
import { putSetting } from '../../platform/index.ts';
import { refusal } from '../../platform/testing.ts';
import { type InvoicePayment } from '../invoices/invoice.ts';
import { currentOption } from '../invoices/options.ts';
import { storeFor } from '../members/stores.testing.ts';
import { decideAsDesk } from '../refunds/actions/decide-claim.ts';
import { refundAmountsView } from '../refunds/views/refund-amounts.ts';
import { refundWire } from '../refunds/views/refund-wire.ts';
import type { Refund, RefundMaker } from '../refunds/machine/refund.ts';
import { claimRowWire } from '../refunds/wire.ts';
import type { StoredInvoice } from '../rows/stored-invoice.ts';
import { netOf } from '../settled/settled.ts';
import { type RefundWorld, openRefundWorld, usdt } from './refund-world.testing.ts';
import { chosen, debtOf, paidReversibly, permit, reserveOf } from './reserve-world.testing.ts';
import { moveByOwner, unitStanding } from './settlements.testing.ts';

let world: RefundWorld;
before(async () => {
  world = await openRefundWorld('1000');
  await permit(world, {});
});
after(() => world.close());

const paymentOf = async (invoice: StoredInvoice, at = 0): Promise<InvoicePayment> =>
  (await world.read(invoice)).view.payments[at] ?? assert.fail();
const payerOf = async (invoice: StoredInvoice): Promise<string> =>
  (await paymentOf(invoice)).source?.fields['address'] ?? assert.fail();
const receivers = ({ to_payments: codes, has_link: hasLink }: { to_payments: string[]; has_link: boolean }) => [codes, hasLink];
const arrived = (to: string): bigint => world.rails.PAYEER_USD.world.received(to);
/** Reverses the whole payment at its payment system, but for what the desk has sent back. */
async function chargeBack(invoice: StoredInvoice, sent = 0n): Promise<void> {
  const { id, parts } = await paymentOf(invoice);
  await world.db.tx((tx) => decidePayin(tx, takeBack(id, sent === 0n ? undefined : parts - sent)));
  for (let at = 0; at < 3; at += 1) await world.mine(3);
}
const look = async (refund: Refund) => {
  const { refund: now, claims } = await world.look(refund);
  return { state: now.state, rests: now.rests, back: now.back, claim: claims[0] ?? assert.fail('no claim') };
};

test('a refund goes back to its payment, out of its part of the reserve, and has no link', async () => {
  const invoice = await paidReversibly(world);
  const payer = await payerOf(invoice);
  const [reserve, balance] = [await reserveOf(world), await world.merchant('USDT')];
  const refund = await world.refund({ invoice: invoice.view.id, amount: '40.00' });
  assert.equal(refund.state, 'paying');
  assert.deepEqual(refund.rests, []);
  assert.deepEqual([reserve - (await reserveOf(world)), await world.merchant('USDT')], [refund.taken.parts, balance]);
  assert.equal((await paymentOf(invoice)).inReserve, reserve - refund.taken.parts);
  const wire = await refundWire(world.db, world.sender, refund, world.ownerOfStore);
  assert.deepEqual([wire.url, wire.claims[0]?.to_payment], [undefined, true]);
  assert.equal(await refusal(() => world.claim(refund)), 'refund_over');
  assert.deepEqual(await world.prove(), []);
  await world.send();
  const { state, claim } = await look(refund);
  assert.deepEqual([state, claim.state, claim.to['address']], ['paid', 'done', payer]);
  assert.equal(arrived(payer), claim.parts);
  assert.equal(claim.parts, 4_000n, '40 dollars at the middle rate');
  assert.deepEqual(await world.prove(), []);
});

test('what the reserve lacks comes from the balance, and never more goes back than was paid', async () => {
  const invoice = await paidReversibly(world);
  const net = netOf(await paymentOf(invoice));
  const [reserve, balance] = [await reserveOf(world), await world.merchant('USDT')];
  const refund = await world.refund({ invoice: invoice.view.id, amount: '100.00' });
  assert.ok(refund.taken.parts > net, 'the fee is not returned');
  assert.equal(reserve - (await reserveOf(world)), net);
  assert.equal(balance - (await world.merchant('USDT')), refund.taken.parts - net);
  assert.equal(await refusal(() => world.refund({ invoice: invoice.view.id, amount: '3.00' })), 'refund_too_large');
  await world.send();
  const { parts } = await paymentOf(invoice);
  assert.ok(arrived(await payerOf(invoice)) <= parts);
  assert.deepEqual(await world.prove(), []);
});

test('of an invoice that two payments paid, each has its share: one by the link, one to its payment', async () => {
  const invoice = await chosen(world);
  const half = currentOption(invoice.view) ?? assert.fail();
  const payer = world.rails.PAYEER_USD.receiver()['address'] ?? '';
  world.pay(half, '50', { from: [payer] });
  await world.mine();
  world.pay(await world.choose(await world.read(invoice), 'USDT_ERC20'));
  await world.mine();
  assert.equal((await world.read(invoice)).view.state, 'settled');
  const refund = await world.refund({ invoice: invoice.view.id, amount: '80.00' });
  const { claim, rests } = await look(refund);
  const [first, second] = (await world.read(invoice)).view.payments;
  const share = (refund.taken.parts * (first?.credit ?? 0n)) / ((first?.credit ?? 0n) + (second?.credit ?? 0n));
  assert.deepEqual([claim.from.parts, rests], [share, [{ unit: 'USDT', parts: refund.taken.parts - share }]]);
  await world.claim(refund);
  await world.send();
  assert.equal((await look(refund)).state, 'paid');
  assert.equal(arrived(payer), claim.parts);
  assert.deepEqual(await world.prove(), []);
});

test('while the payer disputes the payment, or nobody can say so, a refund is refused', async () => {
  const invoice = await paidReversibly(world);
  const { world: system } = world.rails.PAYEER_USD;
  const wanted = { invoice: invoice.view.id, amount: '10.00' };
  system.disputing.add(await payerOf(invoice));
  assert.equal(await refusal(() => world.refund(wanted)), 'payment_disputed');
  system.disputing.clear();
  system.inject('observe', { kind: 'error' }, 3);
  assert.equal(await refusal(() => world.refund(wanted)), 'unavailable');
  system.calm();
  await world.refund(wanted);
  await world.send();
  assert.deepEqual(await world.prove(), []);
});

test('of another store’s invoice a refund learns nothing, and its payment system is not queried', async () => {
  const invoice = await paidReversibly(world);
  const { id: store } = await storeFor(world.db, world.store.holderId);
  const { world: system } = world.rails.PAYEER_USD;
  const ask = () => refusal(() => world.refund({ store, invoice: invoice.view.id, amount: '10.00' }));
  system.disputing.add(await payerOf(invoice));
  assert.equal(await ask(), 'invoice_unknown');
  system.disputing.clear();
  system.inject('observe', { kind: 'error' }, 3);
  assert.equal(await ask(), 'invoice_unknown');
  system.calm();
});

test('a payment that is refunded in part and then charged back leaves once', async () => {
  const invoice = await paidReversibly(world);
  const payer = await payerOf(invoice);
  const refund = await world.refund({ invoice: invoice.view.id, amount: '40.00' });
  await world.send();
  const sent = arrived(payer);
  const [reserve, balance] = [await reserveOf(world), await world.merchant('USDT')];
  const { inReserve = 0n } = await paymentOf(invoice);
  await chargeBack(invoice, sent);
  assert.equal((await look(refund)).state, 'paid');
  const { parts, taken } = await paymentOf(invoice);
  assert.equal(sent + (taken ?? 0n), parts, 'the payer has the whole payment, once');
  assert.equal(reserve - (await reserveOf(world)), inReserve);
  assert.ok(balance - (await world.merchant('USDT')) < usdt('2'), 'the balance gives the fee of the refunded part');
  assert.deepEqual(await world.prove(), []);
  assert.equal(await refusal(() => world.refund({ invoice: invoice.view.id, amount: '70.00' })), 'refund_too_large');
});

test('a payment that is charged back before its refund leaves is not refunded, and the store has that sum again', async () => {
  const invoice = await paidReversibly(world);
  const payer = await payerOf(invoice);
  const { world: system } = world.rails.PAYEER_USD;
  system.inject('prepare', { kind: 'error' }, 1_000);
  const before = (await reserveOf(world)) + (await world.merchant('USDT')) - (await debtOf(world));
  const net = netOf(await paymentOf(invoice));
  const refund = await world.refund({ invoice: invoice.view.id, amount: '100.00' });
  await chargeBack(invoice);
  system.calm();
  await world.send();
  await world.send();
  const { state, claim, back } = await look(refund);
  assert.deepEqual([state, claim.state, back], ['cancelled', 'failed', [refund.taken]]);
  assert.equal(arrived(payer), 0n);
  assert.equal((await reserveOf(world)) + (await world.merchant('USDT')) - (await debtOf(world)), before - net);
  assert.deepEqual(await world.prove(), []);
});

test('a refund waits while its payment is about to be taken back, and nothing of it leaves', async () => {
  const invoice = await paidReversibly(world, '20.00');
  const payer = await payerOf(invoice);
  const refund = await world.refund({ invoice: invoice.view.id, amount: '20.00' });
  const { id } = await paymentOf(invoice);
  await world.db.tx((tx) => decidePayin(tx, takeBack(id)));
  // The turn sends payouts before the invoice hears of its payment.
  await world.turn();
  assert.equal(arrived(payer), 0n);
  for (let at = 0; at < 3; at += 1) await world.mine(3);
  const { state, claim } = await look(refund);
  assert.deepEqual([state, claim.state, claim.reason], ['cancelled', 'failed', 'payment_reversed']);
  assert.equal(arrived(payer), 0n);
  assert.deepEqual(await world.prove(), []);
});

test('a refund that its payment system refuses returns to the reserve, and so does one that a member refuses', async () => {
  const invoice = await paidReversibly(world);
  const { world: system } = world.rails.PAYEER_USD;
  const [reserve, balance] = [await reserveOf(world), await world.merchant('USDT')];
  system.inject('prepare', { kind: 'refuse' }, 1);
  const refund = await world.refund({ invoice: invoice.view.id, amount: '40.00' });
  await world.send();
  assert.deepEqual([(await look(refund)).state, (await look(refund)).claim.state], ['cancelled', 'failed']);
  assert.deepEqual([await reserveOf(world), await world.merchant('USDT')], [reserve, balance]);
  assert.deepEqual(await world.prove(), []);
  const proposed: RefundMaker = { ...world.ownerOfStore, isProposed: true };
  const waiting = await world.refund({ invoice: invoice.view.id, amount: '40.00' }, proposed);
  assert.equal(waiting.state, 'claimed');
  assert.deepEqual(await world.prove(), []);
  await world.decide((await look(waiting)).claim.id, 'refuse');
  assert.equal((await look(waiting)).state, 'cancelled');
  assert.deepEqual([await reserveOf(world), await world.merchant('USDT')], [reserve, balance]);
  assert.equal((await paymentOf(invoice)).inReserve, netOf(await paymentOf(invoice)));
  assert.deepEqual(await world.prove(), []);
});

test('a refund whose invoice SQL changed is not sent back to its payment until the row is right again', async () => {
  const invoice = await paidReversibly(world);
  const { world: system } = world.rails.PAYEER_USD;
  system.inject('prepare', { kind: 'error' }, 1_000);
  const refund = await world.refund({ invoice: invoice.view.id, amount: '40.00' });
  const change = (credit: string): Promise<unknown> =>
    world.owner.run(`update invoice set body = jsonb_set(body, '{payments,0,credit}', to_jsonb($2::text)) where id = $1`, [
      invoice.view.id,
      credit,
    ]);
  await change('999999n');
  system.calm();
  await world.send();
  await world.send();
  const payer = await payerOf(invoice);
  const { claim } = await look(refund);
  assert.deepEqual([arrived(payer), claim.state], [0n, 'paying']);
  assert.ok((await world.prove()).some((words) => words.includes(invoice.view.id)));
  await change(`${invoice.view.payments[0]?.credit}n`);
  await world.pass(10);
  await world.send();
  assert.deepEqual([arrived(payer), (await look(refund)).state], [claim.parts, 'paid']);
  assert.deepEqual(await world.prove(), []);
});

test('nobody else gets such a refund: the desk’s free money changes by its conversion alone', async () => {
  const free = async (unit: string) => (await balances(world.db, [accounts.deskFree(unit)]))[0] ?? 0n;
  const invoice = await paidReversibly(world);
  const [own, theirs] = [await free('USDT'), await free('PAYEER_USD')];
  const refund = await world.refund({ invoice: invoice.view.id, amount: '50.00' });
  const { claim } = await look(refund);
  assert.deepEqual([(await free('USDT')) - own, theirs - (await free('PAYEER_USD'))], [refund.taken.parts, claim.parts]);
  await world.send();
  assert.deepEqual(await world.prove(), []);
});

test('each of the amounts says what its refund takes from the balance and from the reserve', async () => {
  const amountsOf = ({ view }: StoredInvoice) => refundAmountsView(world.db, { store: world.store.id, invoice: view.id });
  const text = (parts: bigint) => ({ amount: format(money('USDT', parts), 2), currency: 'USDT' });
  const refundOf = async (invoice: StoredInvoice, pick: 'paid' | 'worth' | 'most') => {
    const { [pick]: shown = assert.fail() } = await amountsOf(invoice);
    assert.ok(shown.open, pick);
    const [reserve, balance] = [await reserveOf(world), await world.merchant('USDT')];
    const refund = await world.refund({ invoice: invoice.view.id, amount: shown.amount });
    const [fromReserve, fromBalance] = [reserve - (await reserveOf(world)), balance - (await world.merchant('USDT'))];
    assert.deepEqual([shown.takes_reserve, shown.takes], [text(fromReserve), text(fromBalance)], pick);
    assert.equal(fromReserve + fromBalance, refund.taken.parts);
    await world.send();
  };
  for (const pick of ['paid', 'worth', 'most'] as const) await refundOf(await paidReversibly(world, '10.00'), pick);
  const mixed = await chosen(world, '40.00');
  world.pay(currentOption(mixed.view) ?? assert.fail(), '10', { from: [world.rails.PAYEER_USD.receiver()['address'] ?? ''] });
  await world.mine();
  world.pay(await world.choose(await world.read(mixed), 'USDT_ERC20'));
  await world.mine();
  await refundOf(mixed, 'paid');
  assert.deepEqual(receivers(await amountsOf(mixed)), [['PAYEER_USD'], true]);
  const plain = await amountsOf(await world.paid('10.00'));
  assert.equal(plain.paid.takes_reserve, undefined);
  assert.deepEqual(receivers(plain), [[], true]);
  assert.deepEqual(await world.prove(), []);
});

test('the amounts say what the balance lacks, and the same is said when a refund is refused', async () => {
  const invoice = await paidReversibly(world, '10.00');
  const empty = await unitStanding(world, 'USDT');
  await moveByOwner(world, 'to_wallet', { unit: 'USDT', parts: empty.movable });
  const amounts = () => refundAmountsView(world.db, { store: world.store.id, invoice: invoice.view.id });
  const { paid, free, ...others } = await amounts();
  assert.deepEqual(receivers(others), [['PAYEER_USD'], false]);
  assert.deepEqual([paid.open, free.amount], [false, '0.00']);
  const lacks = paid.lacks ?? assert.fail('nothing said');
  assert.deepEqual(lacks, paid.takes, 'all that the reserve lacks');
  const error: unknown = await world.refund({ invoice: invoice.view.id, amount: paid.amount }).catch((thrown: unknown) => thrown);
  assert.ok(error instanceof Problem && error.code === 'refund_not_covered', String(error));
  assert.deepEqual(error.details.params, { lacks: lacks.amount, currency: 'USDT' });
  await moveByOwner(world, 'to_store', { unit: 'USDT', parts: parse('USDT', lacks.amount).parts });
  const covered = await amounts();
  assert.deepEqual([covered.paid.open, covered.paid.lacks], [true, undefined]);
  await world.refund({ invoice: invoice.view.id, amount: paid.amount });
  await world.send();
  assert.equal(await world.merchant('USDT'), 0n);
  await moveByOwner(world, 'to_store', { unit: 'USDT', parts: empty.movable - parse('USDT', lacks.amount).parts });
  assert.deepEqual(await world.prove(), []);
});

test('its receiver is told that it goes back to the payment, and if it does not', async () => {
  const letters = async (email: string): Promise<string[]> =>
    (await queuedLetters(world.db, { to: email })).map(({ text }) => text);
  const arriving = await paidReversibly(world, '10.00');
  await world.refund({ invoice: arriving.view.id, amount: '5.00', email: 'arrives@example.org' });
  await world.send();
  const [letter = '', ...others] = await letters('arrives@example.org');
  assert.match(letter, /goes back to the payment that you made/);
  assert.doesNotMatch(letter, /Keep this link to yourself|Open until/, 'nothing is claimed by its link');
  assert.deepEqual(others, [], 'one letter');
  const { world: system } = world.rails.PAYEER_USD;
  const reversed = await paidReversibly(world, '10.00');
  system.inject('prepare', { kind: 'error' }, 1_000);
  const refund = await world.refund({ invoice: reversed.view.id, amount: '10.00', email: 'reversed@example.org' });
  await chargeBack(reversed);
  system.calm();
  await world.send();
  await world.send();
  const { claim } = await look(refund);
  assert.deepEqual([claim.reason, claimRowWire(claim).payment_reversed], ['payment_reversed', true]);
  assert.match((await letters('reversed@example.org'))[1] ?? '', /was taken back at the payment system before/);
  const refused = await paidReversibly(world, '10.00');
  system.inject('prepare', { kind: 'refuse' }, 1);
  await world.refund({ invoice: refused.view.id, amount: '5.00', email: 'refused@example.org' });
  await world.send();
  assert.match((await letters('refused@example.org'))[1] ?? '', /the shop has the money again/);
});

test('an address gets three letters a day about refunds, also about those that do not go out', async () => {
  const email = 'victim@example.org';
  const invoice = await paidReversibly(world, '10.00');
  const refund = () => world.refund({ invoice: invoice.view.id, amount: '2.00', email });
  for (let at = 0; at < 3; at += 1) await refund();
  await world.send();
  world.rails.PAYEER_USD.world.inject('prepare', { kind: 'refuse' }, 1);
  const last = await refund();
  await world.send();
  assert.equal((await look(last)).claim.state, 'failed');
  assert.equal((await queuedLetters(world.db, { to: email })).length, 3);
});

test('the desk rejects a claim to a payment: its sum stands in the reserve again, and nothing is sent', async () => {
  const limit = (usd: string): Promise<void> =>
    world.db.tx(async (tx) => {
      await putSetting(tx, 'moneyout.auto_usd', usd, 'test');
    });
  await limit('1');
  await world.refreshSettings();
  const invoice = await paidReversibly(world);
  const payer = await payerOf(invoice);
  const [reserve, balance, before] = [await reserveOf(world), await world.merchant('USDT'), arrived(payer)];
  const refund = await world.refund({ invoice: invoice.view.id, amount: '40.00', email: 'rejected@example.org' });
  const { claim } = await look(refund);
  assert.deepEqual([claim.state, reserve - (await reserveOf(world))], ['approving', refund.taken.parts]);
  assert.deepEqual(await world.prove(), []);
  const reject = () =>
    alone(world.db, (unit) => decideAsDesk(unit, world.sender, { id: claim.id, action: 'reject', reason: 'odd', by: ['kim'] }));
  await reject();
  assert.equal(await refusal(reject), 'order_changed', 'once');
  const now = await look(refund);
  assert.deepEqual([now.state, now.claim.state, now.claim.reason, now.back], ['cancelled', 'refused', 'odd', [refund.taken]]);
  assert.deepEqual([await reserveOf(world), await world.merchant('USDT')], [reserve, balance]);
  assert.equal((await paymentOf(invoice)).inReserve, netOf(await paymentOf(invoice)));
  await world.send();
  assert.equal(arrived(payer), before);
  const [, letter] = await queuedLetters(world.db, { to: 'rejected@example.org' });
  assert.match(letter?.text ?? '', /the shop has the money again/);
  assert.deepEqual(await world.prove(), []);
  await limit('500');
  await world.refreshSettings();
});

test('an amount is open if the reserve has it, though the balance doesn’t', async () => {
  const invoice = await paidReversibly(world);
  const { movable } = await unitStanding(world, 'USDT');
  await moveByOwner(world, 'to_wallet', { unit: 'USDT', parts: movable - usdt('5') });
  const { paid, free } = await refundAmountsView(world.db, { store: world.store.id, invoice: invoice.view.id });
  assert.deepEqual([paid.open, Number(free.amount) < 6], [true, true]);
  await world.refund({ invoice: invoice.view.id, amount: paid.amount });
  await world.send();
  assert.deepEqual(await world.prove(), []);
});
