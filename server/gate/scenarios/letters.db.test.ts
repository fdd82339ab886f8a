// Letters about invoices: the buyer's receipt, the letter to an owner who wants one, and letters about money short or late.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { holdersById } from '../../auth/index.ts';
import { queuedLetters } from '../../deliveries/testing.ts';
import { format, money } from '@kurs/money';
import { decidePayin } from '../../payments/index.ts';
import { takeBack } from '../../payments/testing.ts';
import { netOf } from '../settled/settled.ts';
import { paidReversibly, permit } from './reserve-world.testing.ts';
import { leaveAddress } from '../actions/change-invoice.ts';
import type { StoredInvoice } from '../rows/stored-invoice.ts';
import { type InvoiceWorld, openInvoiceWorld } from './invoice-world.testing.ts';

let world: InvoiceWorld;
before(async () => {
  world = await openInvoiceWorld();
  await world.change({ settlementCurrency: 'USDT_ERC20' });
});
after(() => world.close());

async function paid(more: Parameters<InvoiceWorld['make']>[0] = {}, email?: string): Promise<StoredInvoice> {
  const invoice = await world.make(more);
  if (email !== undefined) await leaveAddress(world.db, { id: invoice.view.id, email });
  world.pay(await world.choose(invoice, 'USDT_TRC20'));
  await world.mine();
  return world.read(invoice);
}
const to = (email: string) => queuedLetters(world.db, { to: email });

test('a buyer who left an address gets one receipt, which names the payment and links to the page', async () => {
  const invoice = await paid({ order_id: 'A-7' }, 'buyer@example.org');
  const [letter, ...others] = await to('buyer@example.org');
  assert.ok(letter && others.length === 0);
  assert.equal(letter.subject, 'Maps & more: 100.00\u00a0USD paid');
  for (const word of [invoice.number, 'A-7', 'USDT (Memory tron)', `/En/pay/${invoice.view.id}`])
    assert.ok(letter.text.includes(word), `${word} in ${letter.text}`);
});

test('an address that was only typed gets at most three receipts a day', async () => {
  for (let at = 0; at < 5; at += 1) await paid({}, 'victim@example.org');
  assert.equal((await to('victim@example.org')).length, 3);
});

test('the owner gets a letter for each paid invoice only if the store says so', async () => {
  const owner = (await holdersById(world.db, [world.store.holderId])).get(world.store.holderId);
  assert.ok(owner);
  const about = async (): Promise<number> => (await to(owner.email)).filter(({ subject }) => subject.includes('is paid')).length;
  assert.equal(await about(), 0);
  await world.change({ hasLetters: true });
  const invoice = await paid();
  assert.equal(await about(), 1);
  assert.ok((await to(owner.email)).some(({ subject }) => subject === `Invoice ${invoice.number} is paid: 100.00\u00a0USD`));
});

test('the owner gets one letter about an invoice that is partly paid, and one about a payment that came late', async () => {
  await world.change({ hasLetters: false });
  const owner = (await holdersById(world.db, [world.store.holderId])).get(world.store.holderId);
  const about = async (number: string): Promise<string[]> =>
    (await to(owner?.email ?? '')).filter(({ subject }) => subject.includes(number)).map(({ subject }) => subject);
  const [short, late] = [await world.make({ life_minutes: 15 }), await world.make({ life_minutes: 15 })];
  world.pay(await world.choose(short, 'BTC'), '0.0006');
  const option = await world.choose(late, 'BTC');
  await world.mine();
  for (let at = 0; at < 5; at += 1) await world.pass(5);
  assert.deepEqual(await about(late.number), []);
  world.pay(option);
  await world.mine();
  assert.deepEqual(await about(short.number), [`Invoice ${short.number} is partly paid: decide about it`]);
  assert.deepEqual(await about(late.number), [`A late payment to the invoice ${late.number}: you can accept it`]);
});

test('a buyer whose invoice ends partly paid gets a letter with what is left, within the letters of the day', async () => {
  const partly = async (email: string): Promise<void> => {
    const invoice = await world.make({ life_minutes: 15 });
    await leaveAddress(world.db, { id: invoice.view.id, email });
    world.pay(await world.choose(invoice, 'USDT_TRC20', '40.00'));
    await world.mine();
    await world.pass(30);
    for (let at = 0; at < 3; at += 1) await world.turn();
    assert.equal((await world.read(invoice)).view.state, 'short');
  };
  // All letters are of one day.
  const now = await world.db.now();
  await world.pass(24 * 60 - now.getUTCHours() * 60 - now.getUTCMinutes() + 1);
  await partly('partly@example.org');
  const [letter, ...others] = await to('partly@example.org');
  assert.ok(letter && others.length === 0);
  assert.equal(letter.subject, 'Maps & more: 60.00\u00a0USD still to pay');
  assert.ok(letter.text.includes('40.00\u00a0USD of the invoice'), letter.text);
  for (let at = 0; at < 3; at += 1) await partly('partly@example.org');
  assert.equal((await to('partly@example.org')).length, 3);
});

test('the owner gets a letter when a settled payment is taken back, and one when it comes again', async () => {
  await permit(world, {});
  const owner = (await holdersById(world.db, [world.store.holderId])).get(world.store.holderId);
  const invoice = await paidReversibly(world);
  const about = async () => (await to(owner?.email ?? '')).filter(({ subject }) => subject.includes(invoice.number));
  const taken = async (word: 'take_back' | 'restore'): Promise<void> => {
    const { view } = await world.read(invoice);
    await world.db.tx((tx) => decidePayin(tx, { ...takeBack(view.payments[0]?.id ?? ''), word }));
    for (let at = 0; at < 3; at += 1) await world.mine(3);
  };
  const net = `${format(money('USDT', netOf(invoice.view.payments[0] ?? assert.fail())), 2)}\u00a0USDT`;
  assert.deepEqual(await about(), []);
  await taken('take_back');
  const [gone, ...others] = await about();
  assert.ok(gone && others.length === 0);
  assert.equal(gone.subject, `A payment to the invoice ${invoice.number} was taken back`);
  assert.ok(gone.text.includes(net) && gone.text.includes('Taken from the store'), gone.text);
  await taken('restore');
  const again = (await about()).find(({ subject }) => subject === `The payment to the invoice ${invoice.number} is yours again`);
  assert.ok(again?.text.includes(net) && again.text.includes('Back with the store'), again?.text);
  assert.equal((await about()).length, 2);
  assert.deepEqual(await world.prove(), []);
});
