// Payments to invoices whose sender was flagged: they are held, released, refused or frozen by people, or end automatically.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { holdersById } from '../../auth/index.ts';
import { configureCompliance, screenPayments } from '../../compliance/index.ts';
import { queuedLetters } from '../../deliveries/testing.ts';
import { type StoredOrder, readOrders } from '../../exchange/index.ts';
import { accounts, balances } from '../../ledger/index.ts';
import { decidePayin } from '../../payments/index.ts';
import { takeBack } from '../../payments/testing.ts';
import { refusal } from '../../platform/testing.ts';
import { type HeldAction, decideHeld } from '../actions/decide-held.ts';
import { acceptInvoice } from '../actions/decide-invoice.ts';
import { type InvoicePayment, creditedOf, handedOf, ownOf, pendingOf } from '../invoices/invoice.ts';
import { netOf } from '../settled/settled.ts';
import { cancelInvoice, leaveAddress } from '../actions/change-invoice.ts';
import type { StoredInvoice } from '../rows/stored-invoice.ts';
import { decisionWire } from '../views/decision-wire.ts';
import { heldPayments } from '../views/held-payments.ts';
import { payWire } from '../views/pay-wire.ts';
import { type Code, type InvoiceWorld, openInvoiceWorld } from './invoice-world.testing.ts';
import { moveByOwner, unitStanding } from './settlements.testing.ts';

const EMAIL = 'payer@example.org';
const plain = { botKey: 'key', passToken: 'sandbox', isLoopbackCounted: true } as const;
let world: InvoiceWorld;
before(async () => {
  world = await openInvoiceWorld();
  await world.change({ settlementCurrency: 'USDT_ERC20' });
  configureCompliance({
    ...plain,
    screener: async (requests) =>
      requests.map(({ fields: { address = '' } }) =>
        mixers.has(address)
          ? { score: 100 }
          : { score: 1, labels: address === 'thief' ? [{ name: 'stolen funds', kind: 'hard' as const }] : [] },
      ),
  });
});
after(async () => {
  configureCompliance(plain);
  await world.close();
});

/** Accounts that screening flags as soft. */
const mixers = new Set(['mixer']);
const SENDERS = { soft: 'mixer', hard: 'thief', clean: 'friend' } as const;

/** Mines, lets the senders be screened, and applies what follows. */
async function settle(): Promise<void> {
  await world.pass(1);
  await world.mine();
  await screenPayments(world.db);
  // A waiting event is tried again after a pause.
  for (let at = 0; at < 2; at += 1) await world.pass(1);
}

/** Makes an invoice and pays it from an account that screening judges so. Returns the payment after it was screened. */
async function paid(
  cause: keyof typeof SENDERS,
  { method = 'BTC', amount, email = EMAIL }: { readonly method?: Code; readonly amount?: string; readonly email?: string } = {},
) {
  const invoice = await world.make({ email, life_minutes: 15 });
  const option = await world.choose(invoice, method);
  world.pay(option, amount, { from: [SENDERS[cause]] });
  await settle();
  return { invoice, option, payment: await paymentOf(invoice) };
}

async function paymentOf(invoice: StoredInvoice): Promise<InvoicePayment> {
  return (await world.read(invoice)).view.payments.at(-1) ?? assert.fail('nothing arrived');
}

const act = ({ id }: InvoicePayment, action: HeldAction, by: readonly string[] = ['carl']) =>
  world.db.tx((tx) => decideHeld(tx, world.sender, { id, action, by, reason: 'checked' }));

async function orderOf({ handedOver = [] }: InvoicePayment): Promise<StoredOrder> {
  const [order] = await readOrders(world.db, [handedOver.at(-1)?.orderId ?? assert.fail('it was not handed over')]);
  return order ?? assert.fail('there is no such order');
}

const stateOf = async (invoice: StoredInvoice): Promise<string> => (await world.read(invoice)).view.state;
const inAccount = async ({ view }: StoredInvoice, unit: string): Promise<bigint> =>
  (await balances(world.db, [accounts.invoiceIn(view.id, unit)]))[0] ?? 0n;
const isRight = async (): Promise<void> => assert.deepEqual(await world.prove(), []);

test('a flagged payment is held and listed for the desk; once released, it settles its invoice at the locked rate', async () => {
  const { invoice, payment } = await paid('soft');
  assert.deepEqual([await stateOf(invoice), payment.stage, payment.hold?.cause], ['confirming', 'held', 'soft']);
  assert.equal(await inAccount(invoice, 'BTC'), payment.parts);
  assert.equal(payment.reserve, 0n, 'its reserve went back');
  const listed = (await heldPayments(world.db, 10)).find(({ payment: { id } }) => id === payment.id);
  assert.deepEqual([listed?.email, listed?.counts.amount], [EMAIL, '100.00']);
  await isRight();
  await world.price('45000');
  assert.equal(await act(payment, 'release'), 'credited');
  await world.price('90000');
  const { view } = await world.read(invoice);
  assert.deepEqual([view.state, creditedOf(view), view.payments[0]?.hold], ['settled', 10_000n, undefined]);
  assert.equal(await refusal(() => act(payment, 'release')), 'order_changed', 'once');
  assert.deepEqual((await world.events(invoice)).slice(-4), ['processing', 'held', 'payment_final', 'settled']);
  await isRight();
});

test('a clean payment is not held', async () => {
  const { invoice } = await paid('clean');
  assert.equal(await stateOf(invoice), 'settled');
});

test('a refused payment is never exchanged: its payer gets it back at the account that paid', async () => {
  const invoice = await world.make({ email: EMAIL });
  const option = await world.choose(invoice, 'PAYEER_USD');
  const [account = ''] = Object.values(world.rails.PAYEER_USD.receiver());
  mixers.add(account);
  world.pay(option, undefined, { from: [account] });
  await settle();
  const payment = await paymentOf(invoice);
  assert.equal(payment.stage, 'held');
  assert.equal(await act(payment, 'refuse'), 'unallocated');
  const refused = await paymentOf(invoice);
  assert.deepEqual([handedOf(refused), await inAccount(invoice, 'PAYEER_USD')], [payment.parts, 0n]);
  const order = await orderOf(refused);
  assert.deepEqual([order.view.kind, order.view.state, order.email], ['unallocated', 'refunding', EMAIL]);
  mixers.delete(account);
  for (let at = 0; at < 3; at += 1) await world.mine(3);
  assert.equal((await orderOf(refused)).view.state, 'refunded');
  await isRight();
});

test('a refused payment from a chain waits for its payer to name an account', async () => {
  const email = 'refused@example.org';
  const { invoice, payment } = await paid('soft', { email });
  await act(payment, 'refuse');
  const order = await orderOf(await paymentOf(invoice));
  assert.equal(order.view.state, 'unclaimed');
  assert.ok((await queuedLetters(world.db, { to: email })).at(-1)?.text.includes(order.number));
  const { view } = await world.read(invoice);
  assert.deepEqual([view.state, pendingOf(view)], ['open', 0n]);
  await isRight();
});

test('a frozen payment stands under law, and nobody can refund it', async () => {
  const { invoice, payment } = await paid('hard');
  await act(payment, 'freeze', ['carl', 'cora']);
  const order = await orderOf(await paymentOf(invoice));
  assert.equal(order.view.state, 'frozen');
  assert.deepEqual(await balances(world.db, [accounts.frozen(order.view.id, 'BTC')]), [payment.parts]);
  await isRight();
});

test('a soft hold ends by itself after its time: the invoice is decided anew, and the payer gets the money back', async () => {
  const { invoice, payment } = await paid('soft');
  await world.pass(30);
  await world.turn();
  assert.equal(await stateOf(invoice), 'confirming', 'its time does not end meanwhile');
  for (const minutes of [71 * 60, 60, 1, 1]) await world.pass(minutes);
  const after = await paymentOf(invoice);
  assert.deepEqual([after.stage, await stateOf(invoice)], ['unallocated', 'expired']);
  assert.deepEqual((await world.events(invoice)).slice(-2), ['refused', 'expired']);
  await world.pass(1);
  const order = await orderOf(after);
  assert.deepEqual([order.view.state, order.view.facts.hold?.cause ?? 'ended'], ['unclaimed', 'ended']);
  assert.equal(await refusal(() => act(payment, 'release')), 'order_changed');
  await isRight();
});

for (const end of ['the desk refused it', 'its soft hold is over'] as const)
  test(`no store accepts a payment after ${end}`, async () => {
    const { invoice, payment } = await paid('soft');
    if (end === 'the desk refused it') await act(payment, 'refuse');
    for (const minutes of [72 * 60, 30, 1, 1]) await world.pass(minutes);
    const { view } = await world.read(invoice);
    assert.deepEqual([view.state, view.payments[0]?.stage], ['expired', 'unallocated']);
    assert.equal(await decisionWire(world.db, view, await world.db.now()), undefined, 'nothing is offered to decide');
    const decided = { store: world.store.id, id: view.id, version: view.version };
    assert.equal(await refusal(() => acceptInvoice({ db: world.db, sender: world.sender }, decided)), 'invoice_not_open');
    assert.equal((await orderOf(await paymentOf(invoice))).view.state, 'unclaimed');
    await isRight();
  });

test('the page of an invoice does not say that its store may accept a late payment that the desk refused', async () => {
  const invoice = await world.make({ email: EMAIL, life_minutes: 15 });
  const option = await world.choose(invoice, 'BTC');
  for (const minutes of [16, 1, 1]) await world.pass(minutes);
  world.pay(option, undefined, { from: [SENDERS.soft] });
  await settle();
  await act(await paymentOf(invoice), 'refuse');
  const page = await payWire({ db: world.db, tokens: world.sender.tokens }, await world.read(invoice), { locale: 'en' });
  assert.deepEqual([page.state, page.payments[0]?.refused, page.payments[0]?.late, page.late], ['expired', true, true, false]);
});

test('a hard hold goes on after its time, its invoice ends, and a release then leaves the money to the payer', async () => {
  const { invoice, payment } = await paid('hard');
  for (const minutes of [72 * 60, 1, 1]) await world.pass(minutes);
  const after = await paymentOf(invoice);
  assert.deepEqual([after.stage, after.pending, await stateOf(invoice)], ['held', 0n, 'expired']);
  await isRight();
  assert.equal(await act(payment, 'release'), 'unallocated');
  assert.equal((await orderOf(await paymentOf(invoice))).view.state, 'choosing', 'a clean payer chooses');
  await isRight();
});

test('the store hears by letter of a payment that is released after its invoice ended', async () => {
  const heard = async ({ view: { id } }: StoredInvoice, kind: 'late' | 'short') =>
    (await queuedLetters(world.db, { key: `invoice ${id} ${kind}%` })).map(({ recipient }) => recipient);
  const owner = (await holdersById(world.db, [world.store.holderId])).get(world.store.holderId)?.email;
  const { invoice, payment } = await paid('hard');
  for (const minutes of [72 * 60, 1, 1]) await world.pass(minutes);
  assert.deepEqual([await stateOf(invoice), await heard(invoice, 'late')], ['expired', []]);
  await act(payment, 'release');
  assert.deepEqual(await heard(invoice, 'late'), [owner]);
});

test('a payer whose address is known hears once that their payment is checked, and never why', async () => {
  const email = 'held@example.org';
  const { invoice, payment } = await paid('soft', { email });
  const letters = async () => (await queuedLetters(world.db, { to: email })).map(({ subject, text }) => ({ subject, text }));
  const [letter, ...others] = await letters();
  assert.ok(letter && others.length === 0, JSON.stringify(await letters()));
  assert.match(letter.subject, /checking your payment of .*BTC/);
  assert.match(letter.text, /The money is safe/);
  assert.ok(letter.text.includes(invoice.number));
  assert.doesNotMatch(`${letter.subject} ${letter.text}`, /mixer|flag|screen|score|risk|sanction/i);
  await act(payment, 'release');
  assert.equal((await letters()).filter(({ subject }) => subject === letter.subject).length, 1);
  const link = await world.make({ life_minutes: 15 });
  world.pay(await world.choose(link, 'BTC'), undefined, { from: [SENDERS.soft] });
  await leaveAddress(world.db, { id: link.view.id, email: 'stranger@example.org' });
  await settle();
  assert.equal((await paymentOf(link)).stage, 'held');
  assert.deepEqual(await queuedLetters(world.db, { to: 'stranger@example.org' }), [], 'an address left by the link alone');
});

test('papers are requested once, by letter, and only of a payer whose address is known', async () => {
  const { payment, invoice } = await paid('hard');
  assert.equal(await act(payment, 'ask_papers'), 'held');
  assert.equal(await refusal(() => act(payment, 'ask_papers')), 'action_not_open');
  const letters = await queuedLetters(world.db, { key: `invoice ${invoice.view.id} papers %` });
  assert.deepEqual(
    letters.map(({ recipient }) => recipient),
    [EMAIL],
  );
  assert.equal(await act(payment, 'papers_came'), 'held');
  await world.pass(31);
  await world.price('45000');
  await act(payment, 'release');
  await world.price('90000');
  const { view } = await world.read(invoice);
  assert.equal(view.payments[0]?.credit, 5_000n, 'the current rate is lower than the locked one');
  await isRight();
});

test('an invoice with a held payment is not cancelled', async () => {
  const { invoice } = await paid('soft', { amount: '0.0001' });
  const { store, id } = { store: world.store.id, id: invoice.view.id };
  assert.equal(await refusal(() => cancelInvoice(world.db, { store, id })), 'invoice_not_open');
});

for (const isDecided of [false, true])
  test(`a held payment that its rail takes back ${isDecided ? 'after its refusal' : 'meanwhile'} leaves no money behind`, async () => {
    const { invoice, payment } = await paid('soft');
    if (isDecided) await act(payment, 'refuse');
    await world.db.tx((tx) => decidePayin(tx, takeBack(payment.id)));
    await world.turn();
    const after = await paymentOf(invoice);
    assert.deepEqual([after.stage, ownOf(after) - ownOf(after), await inAccount(invoice, 'BTC')], ['reversed', 0n, 0n]);
    assert.equal(await refusal(() => act(payment, 'release')), 'order_changed');
    await isRight();
  });

/** A flagged payment is released and settled, its money leaves the store, its rail takes it back, and it comes again flagged. */
async function heldAgain() {
  const { invoice, payment } = await paid('soft');
  await act(payment, 'release');
  const settled = await paymentOf(invoice);
  const { movable } = await unitStanding(world, 'USDT');
  if (movable > 0n) await moveByOwner(world, 'to_wallet', { unit: 'USDT', parts: movable });
  const had = await world.merchant('USDT');
  await world.db.tx((tx) => decidePayin(tx, takeBack(payment.id)));
  await world.turn();
  assert.equal(await stateOf(invoice), 'invalid');
  const debt = await debtNow();
  assert.equal(debt, netOf(settled) - had, 'the store owes what it no longer has');
  await world.db.tx((tx) => decidePayin(tx, { ...takeBack(payment.id), word: 'restore' }));
  await settle();
  assert.equal((await paymentOf(invoice)).stage, 'held');
  await isRight();
  return { invoice, settled, had, debt };
}

const debtNow = async (): Promise<bigint> =>
  (await balances(world.db, [accounts.receivable(`business_${world.store.businessId}`, 'USDT')]))[0] ?? 0n;

test('a settled payment that comes again flagged is settled again once it is released, and repays what its store owes', async () => {
  const { invoice, settled, had } = await heldAgain();
  assert.equal(await act(settled, 'release'), 'credited');
  const again = await paymentOf(invoice);
  assert.deepEqual([again.stage, again.booked, again.credit], ['credited', settled.booked, settled.credit]);
  assert.deepEqual([handedOf(again), again.hold, again.settled?.at], [0n, undefined, settled.settled?.at]);
  assert.deepEqual([await stateOf(invoice), await debtNow(), await world.merchant('USDT')], ['settled', 0n, had]);
  await isRight();
});

test('a settled payment that comes again flagged and is refused is its payer’s, and its store still owes it', async () => {
  const { invoice, settled, debt } = await heldAgain();
  assert.equal(await act(settled, 'refuse'), 'unallocated');
  const refused = await paymentOf(invoice);
  assert.deepEqual([handedOf(refused), refused.unsettled], [settled.parts, undefined]);
  assert.deepEqual([await stateOf(invoice), await debtNow()], ['invalid', debt]);
  await isRight();
});
