// Vouchers: entering one is the payment, and a bought one is shown to its buyer.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Problem } from '@kurs/contract';
import { writeHolderMacs } from '../../auth/testing.ts';
import { addBlock, liftBlock, noteDebt, openBlocks } from '../../compliance/index.ts';
import { decidePayin } from '../../payments/index.ts';
import { takeBack } from '../../payments/testing.ts';
import { newId } from '../../platform/index.ts';
import { keysShownBy } from '../apply/debts-of-orders.ts';
import { testSealer } from '../../platform/testing.ts';
import { makeCode } from '../../auth/index.ts';
import type { StoredOrder } from '../order/store/order-store.ts';
import { redeem, showBought } from './redeem.ts';
import type { Context } from '../../platform/index.ts';
import { type World, openWorld } from '../scenarios/world.testing.ts';

let world: World;
before(async () => {
  world = await openWorld({ vouchers: true });
});
after(() => world.close());

type Asker = Pick<Context, 'ip' | 'browser' | 'user'>;

const HOUR = 60;
const DAY = 24 * HOUR;
const deps = () => ({ db: world.db, sender: world.deps.sender, sealer: testSealer });
const state = (order: StoredOrder): Promise<string> => world.state(order);
const refuses = (code: string) => (error: Problem) => error.code === code;

let numbers = 1_000;
/** Creates a voucher worth `parts`; returns its number. */
function voucher(parts: bigint): string {
  numbers += 1;
  world.rails.BTC.world.vouchers.set(`${numbers}`, { parts, isUsed: false });
  return `${numbers}`;
}

describe('a voucher that is entered', () => {
  async function placed(): Promise<StoredOrder> {
    const order = await world.place();
    await world.turn();
    return world.order(order);
  }
  const enter = (order: StoredOrder, number: string) =>
    redeem(deps(), { id: order.number, token: world.token(order), fields: { number } });

  test('counts as the payment, with or without spaces in its number', async () => {
    const order = await placed();
    await enter(order, [...voucher(order.view.give.parts)].join(' '));
    await world.mine();
    assert.equal((await world.order(order)).view.facts.exchange?.give, order.view.give.parts);
    await assert.rejects(enter(order, voucher(1_000_000n)), refuses('order_changed'), 'nothing is due any more');
    await world.audit();
  });

  test('is accepted only while the rate is locked; a refused one stays its owner’s', async () => {
    const order = await placed();
    await world.pass(15);
    const number = voucher(order.view.give.parts);
    await assert.rejects(enter(order, number), refuses('order_changed'));
    await world.pass(5);
    assert.equal(world.rails.BTC.world.vouchers.get(number)?.isUsed, false);
    assert.equal(await state(order), 'expired');
  });

  test('of too little counts with its worth, as any underpayment', async () => {
    const order = await placed();
    const less = (order.view.give.parts * 9n) / 10n;
    await enter(order, voucher(less));
    await world.mine();
    assert.equal(await state(order), 'choosing');
    await world.pass(15);
    assert.equal((await world.order(order)).view.facts.exchange?.give, less);
  });

  test('of too much pays the order, and the rest becomes an unallocated payment', async () => {
    const order = await placed();
    await enter(order, voucher(order.view.give.parts * 2n));
    await world.mine();
    const given = (await world.order(order)).view.facts.exchange?.give ?? 0n;
    const [unallocated] = await world.unallocatedPayments(order);
    assert.equal(given + (unallocated?.view.positions.in ?? 0n), order.view.give.parts * 2n);
  });

  test('may be mistyped four times; the fifth try is the last', async () => {
    const order = await placed();
    for (const wrong of ['0001', '0002', '0003', '0004', '0005']) {
      await enter(order, wrong);
      await world.turn();
    }
    await assert.rejects(enter(order, voucher(order.view.give.parts)), refuses('too_many_entries'));
  });

  test('is refused, without costing a try, if it is malformed or was entered before', async () => {
    const [order, other] = [await placed(), await placed()];
    for (const bad of ['', '12', 'abcd']) await assert.rejects(enter(order, bad), refuses('validation'), bad);
    const number = voucher(order.view.give.parts);
    await enter(order, number);
    await assert.rejects(enter(other, number), (error: Problem) => JSON.stringify(error.details).includes('voucher_used'));
  });
});

describe('a voucher that was bought', () => {
  async function bought(): Promise<StoredOrder> {
    const order = await world.place({ from: 'USDT_ERC20', amount: '400' });
    world.pay(order);
    await world.mine(70);
    for (let turn = 0; turn < 3; turn += 1) await world.mine();
    assert.equal(await state(order), 'completed');
    return world.order(order);
  }
  const show = (order: StoredOrder, otp?: string, asker: Asker = { ip: 'somebody', browser: order.device }) =>
    showBought(deps(), { id: order.number, token: world.token(order), ...(otp !== undefined && { otp }) }, asker);
  const otp = (order: StoredOrder): Promise<string> =>
    world.db.tx((tx) => makeCode(tx, { purpose: 'order', subject: order.view.id }));

  test('is shown once in the browser that placed the order, then by a mailed code, for 90 days; each showing is recorded', async () => {
    const order = await bought();
    const first = await show(order);
    assert.match(first.fields['code'] ?? '', /^code of /);
    await assert.rejects(show(order), refuses('code_required'));
    const right = await otp(order);
    await assert.rejects(show(order, right === '000000' ? '000001' : '000000'), refuses('code_wrong'));
    assert.deepEqual((await show(order, right)).fields, first.fields);
    await assert.rejects(show(order, right), (error: Problem) => error.code.startsWith('code_'), 'a code is good once');
    const shown = await world.db.rows('select from payout_voucher_shown where payout_id = $1', [order.view.facts.sent?.intent]);
    assert.equal(shown.length, 2);
    await assert.rejects(
      showBought(deps(), { id: order.number, token: 'x'.repeat(20) }, { ip: 'x', browser: order.device }),
      refuses('order_not_found'),
    );
    await world.pass(90 * DAY + HOUR);
    await assert.rejects(show(order, '000000'), refuses('nothing_to_show'));
    assert.equal(await state(order), 'completed', 'what was seen is not taken back');
  });

  test('needs a code even for the first time, except in the browser that placed the order and for its owner', async () => {
    const [order, other] = [await bought(), await bought()];
    const owner = { id: newId(), email: order.email, isEmailVerified: true, sessionId: newId() };
    const strangers: Asker[] = [
      { ip: order.ip ?? '' },
      { ip: order.ip ?? '', browser: 'another browser' },
      { ip: 'x', user: { ...owner, isEmailVerified: false } },
      { ip: 'x', user: { ...owner, email: 'else@example.org' } },
    ];
    for (const asker of strangers) await assert.rejects(show(order, undefined, asker), refuses('code_required'));
    assert.ok((await show(order, undefined, { ip: 'x', user: owner })).fields['code']);
    assert.ok((await show(other, await otp(other), strangers[0])).fields['code'], 'who shows a mailed code reads it');
  });

  test('is shown to nobody while the account whose wallet paid for it is frozen', async () => {
    const [order, holder] = [await bought(), newId()];
    await world.db.run(
      `insert into account_holder (id, email, email_key, locale, created_at, frozen_until, frozen_because)
       values ($1, $2, $2, 'en', clock_now(), clock_now() + interval '3 days', 'password_reset')`,
      [holder, `${holder}@example.org`],
    );
    await writeHolderMacs(world.db);
    await world.db.run(`update customer_order set pinned = jsonb_set(pinned, '{pinned,wallets}', $2::jsonb) where id = $1`, [
      order.view.id,
      JSON.stringify({ give: holder }),
    ]);
    await world.store(order);
    await assert.rejects(show(order), refuses('withdrawals_frozen'));
    await world.pass(3 * DAY + HOUR);
    await show(order);
  });

  test('is not shown for the first time to a debtor or a blocked customer, because its money leaves with the showing', async () => {
    const order = await bought();
    const keys = await keysShownBy(world.db, order);
    await world.db.tx((tx) => addBlock(tx, { who: order.email, by: 'clara', reason: 'asked', evidence: 'a letter', keys }));
    await assert.rejects(show(order), refuses('blocked'));
    const [block] = await openBlocks(world.db, order.email);
    await world.db.tx((tx) => liftBlock(tx, block?.id ?? '', 'clara, karl'));
    const debtor = { subject: { email: order.email, accounts: [], device: order.device, ip: undefined }, payers: [] };
    const owe = (parts: bigint) => world.db.tx((tx) => noteDebt(tx, { id: debt, about: 'order', unit: 'BTC', parts }, debtor));
    const debt = newId();
    await owe(5n);
    await assert.rejects(show(order), refuses('debt_stops'));
    await owe(0n);
    await show(order);
    await owe(5n);
    await show(order, await otp(order));
    await owe(0n);
  });

  test('is shown to nobody while a reversal of its payment is not delivered to its order', async () => {
    const order = await bought();
    const payinId = order.view.payments[0]?.id ?? '';
    await world.db.tx((tx) => decidePayin(tx, takeBack(payinId)));
    await assert.rejects(show(order), refuses('reversal_pending'));
    await world.turn();
    await assert.rejects(show(order), (error: Problem) => error.code !== 'reversal_pending');
  });

  test('is taken back after 90 days without a showing, and its worth is the customer’s again', async () => {
    const order = await bought();
    await world.pass(90 * DAY + HOUR);
    for (let turn = 0; turn < 3; turn += 1) await world.mine();
    const { view } = await world.order(order);
    assert.deepEqual([view.state, view.positions.out], ['undelivered', order.view.get?.parts]);
    await assert.rejects(show(order), refuses('nothing_to_show'));
    await world.audit();
  });
});
