// Reverses payments: PayPal payments that are charged back before or after the payout, with the dispute won or lost, and payouts
// that the provider returns. The customer's page explains it, the desk shows it, and the ledger matches the rails.

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Client } from '@kurs/contract/client';
import { freshAccounts } from '../customers/accounts.ts';
import { type Key, type Order, awaits, choose, look, reaches, readPage } from '../customers/customer.ts';
import { actAs, deskOf, deskTool } from '../harness/desk.ts';
import { type AnyOrder, type Direction, faultOf, isClearing, openDirections, orderAndPay } from '../customers/order-any.ts';
import { press } from '../harness/press.ts';
import { type System, startSystem, until } from '../harness/system.ts';

let system: System;
let directions: readonly Direction[];

before(async () => {
  system = await startSystem();
  directions = await openDirections(system.client());
});
after(() => system?.stop());

/** Time in seconds that exceeds the clearing period of reversible payments. */
const CLEARING_SECONDS = 73 * 3_600;

const direction = (slug: string): Direction => {
  const found = directions.find((one) => one.slug === slug);
  assert.ok(found, `no direction ${slug}`);
  return found;
};

type DeskOrder = Awaited<ReturnType<Client['operatorOrder']>>;

/** Returns the state of an order at the desk, with its postings of these kinds. */
async function stateOf({ id }: Key, ...kinds: string[]): Promise<{ state: string; postings: string[] }> {
  const { state, postings }: DeskOrder = await (await deskOf(system, 'olga')).operatorOrder({ id });
  const lines = postings.filter(({ kind }) => kinds.includes(kind));
  // The ledger's accounts of an order contain its internal id.
  const name = (account: string): string => account.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/, '…');
  return { state, postings: lines.map(({ kind, from, to, amount }) => `${kind}: ${name(from)} → ${name(to)} ${amount}`) };
}

const captureOf = ({ transfers }: Order): string => transfers.find(({ kind }) => kind === 'payment')?.txid ?? '';
const payoutOf = ({ transfers }: Order): string => transfers.find(({ kind }) => kind === 'payout')?.txid ?? '';
const events = ({ timeline }: Order): string[] => timeline.map(({ event }) => event);

/** Places an order, pays by PayPal, and waits until the payment is clearing. */
async function paidByPayPal(slug: string): Promise<AnyOrder> {
  const order = await orderAndPay(system, direction(slug));
  await awaits(system.client(), order, 'to clear', isClearing);
  return order;
}

/** Asserts that the order's page contains these texts in both languages. */
async function reads(key: Key, words: Readonly<Record<'En' | 'Ru', string>>): Promise<void> {
  for (const prefix of ['En', 'Ru'] as const) {
    const page = await readPage(system, key, prefix);
    assert.ok(page.includes(words[prefix]), `${prefix}: “${words[prefix]}” is not in ${page}`);
  }
}

test('reversed payments and payouts', async (t) => {
  const client = system.client();
  const [won, lost, early, given] = await Promise.all([
    paidByPayPal('paypal-to-payeer-exchange'),
    paidByPayPal('paypal-to-payeer-exchange'),
    paidByPayPal('paypal-to-payeer-exchange'),
    paidByPayPal('paypal-to-payeer-exchange'),
  ]);

  await t.test('a chargeback within the clearing period ends the order, and nothing was sent', async () => {
    const { give } = await look(client, early);
    await press(system, 'paypal', 'capture/reverse', captureOf(await look(client, early)));
    const ended = await reaches(client, early, 'rejected');
    assert.deepEqual([ended.reason, ended.transfers.map(({ status }) => status)], ['reversed', ['reversed']]);
    await reads(early, { En: 'The payment was reversed.', Ru: 'Платёж отозвали.' });
    const { state, postings } = await stateOf(early, 'payin_reversed');
    assert.equal(state, 'reversed');
    assert.ok(postings.includes(`payin_reversed: order:…:in:PAYPAL_USD → custody:PAYPAL_USD:hot ${give.amount}`), `${postings}`);
  });

  await client.sandboxClock({ skip: CLEARING_SECONDS });
  await Promise.all([won, lost, given].map((order) => reaches(client, order, 'done')));
  const { amount: balance } = await client.sandboxBalance({ currency: 'PAYEER_USD', account: early.accounts.receiver });
  assert.equal(Number(balance), 0, 'a customer who took their payment back was paid nothing');

  await t.test('a chargeback after the payout is owed, and shown to the desk', async () => {
    for (const order of [won, lost]) {
      const { give, transfers } = await look(client, order);
      await press(system, 'paypal', 'capture/reverse', captureOf(await look(client, order)));
      const back = await reaches(client, order, 'rejected');
      assert.equal(back.reason, 'charged_back');
      assert.deepEqual(
        back.transfers.map(({ kind, status }) => `${kind} ${status}`),
        ['payment reversed', 'payout done'],
      );
      assert.equal(transfers.length, 2);
      assert.ok(events(back).includes('payin_reversed'));
      await reads(order, {
        En: 'The payment was reversed after we had paid you.',
        Ru: 'Платёж отозвали уже после того, как мы вам заплатили.',
      });
      assert.deepEqual(await stateOf(order, 'reversal'), {
        state: 'charged_back',
        postings: [`reversal: receivable:…:PAYPAL_USD → custody:PAYPAL_USD:hot ${give.amount}`],
      });
    }
    const waiting = (await deskTool<{ id: string; state: string }[]>(system, 'waiting')).filter(
      ({ state }) => state === 'charged_back',
    );
    assert.deepEqual(waiting.map(({ id }) => id).toSorted(), [won.id, lost.id].toSorted());
  });

  await t.test('a won dispute completes the order again, and nothing is owed', async () => {
    const { give } = await look(client, won);
    await press(system, 'paypal', 'capture/win', captureOf(await look(client, won)));
    const done = await reaches(client, won, 'done');
    assert.deepEqual(
      done.transfers.map(({ kind, status }) => `${kind} ${status}`),
      ['payment final', 'payout done'],
    );
    assert.ok(events(done).includes('dispute_won'));
    assert.deepEqual(await stateOf(won, 'dispute_won'), {
      state: 'completed',
      postings: [`dispute_won: custody:PAYPAL_USD:hot → receivable:…:PAYPAL_USD ${give.amount}`],
    });
    assert.equal(await faultOf(client, won), undefined);
  });

  await t.test('two people write a lost dispute off, from the provision first', async () => {
    const file = join(system.data, 'statement.txt');
    await writeFile(file, 'PayPal closed the case for the payer');
    assert.equal(await actAs(system, 'olga', 'write_off', lost.id, '--evidence', file), 'awaiting_second');
    assert.equal(await actAs(system, 'oleg', 'write_off', lost.id, '--evidence', file), 'done');
    const { state, postings } = await stateOf(lost, 'write_off');
    assert.equal(state, 'charged_back');
    assert.deepEqual(
      postings.map((line) => line.replace(/ [\d.]+$/, '')),
      [
        'write_off: provision:reversal:PAYPAL_USD → receivable:…:PAYPAL_USD',
        'write_off: spent:loss:PAYPAL_USD → receivable:…:PAYPAL_USD',
      ],
    );
    assert.equal((await look(client, lost)).status, 'rejected');
  });

  await t.test('after a provider returned a completed payout, the customer names another account, once', async () => {
    const order = await orderAndPay(system, direction('payeer-to-paypal-exchange'));
    await reaches(client, order, 'done');
    await press(system, 'paypal', 'payout/reverse', payoutOf(await look(client, order)));
    const back = await reaches(client, order, 'choose');
    assert.ok(events(back).includes('transfer_returned'));
    await reads(order, {
      En: 'We could not pay to the details you gave. The money is back on your order.',
      Ru: 'Выплатить по указанным реквизитам не удалось. Деньги снова на вашей заявке.',
    });
    const { state, postings } = await stateOf(order, 'returned');
    assert.deepEqual(
      [state, postings],
      ['payout_failed', [`returned: custody:PAYPAL_USD:hot → order:…:out:PAYPAL_USD ${back.get?.amount}`]],
    );
    const { receive, receiver } = await freshAccounts(client, order.direction);
    await choose(client, order, 'new_account', receive);
    await reaches(client, order, 'done');
    assert.equal(await faultOf(client, { ...order, accounts: { ...order.accounts, receiver } }), undefined);
    const { amount } = await client.sandboxBalance({ currency: 'PAYPAL_USD', account: order.accounts.receiver });
    assert.equal(Number(amount), 0, 'nobody is paid twice');
  });

  await t.test('a returned payout that the customer rejects is exchanged back and refunded', async () => {
    await press(system, 'payeer', 'return', payoutOf(await look(client, given)));
    // Payeer sends no notification. A periodic look-up finds the change.
    await until('the look-up that finds it', 60_000, async () => {
      if ((await look(client, given)).status === 'choose') return true;
      await client.sandboxClock({ skip: 3_600 });
      return false;
    });
    await choose(client, given, 'take_back');
    const refunded = await reaches(client, given, 'refunded');
    assert.ok(events(refunded).includes('take_back'));
    const { amount } = await client.sandboxBalance({ currency: 'PAYEER_USD', account: given.accounts.receiver });
    assert.equal(Number(amount), 0);
  });

  await t.test('the books are right', async () => {
    const { code, output } = await system.tool('verify.ts');
    assert.equal(code, 0, output);
  });
});
