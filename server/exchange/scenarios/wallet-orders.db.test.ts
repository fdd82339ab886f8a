// Orders paid from a wallet, or into one: paid at once by a posting, with the same checks as all money that leaves a wallet.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { parse } from '@kurs/money';
import { makeCode } from '../../auth/index.ts';
import { withAuthenticator, writeHolderMacs } from '../../auth/testing.ts';
import { type Level, customerOf, noteDebt, setLevel } from '../../compliance/index.ts';
import { accounts, balance, leg, post } from '../../ledger/index.ts';
import { moneyOutRoutes } from '../../moneyout/index.ts';
import { PAYIN_EVENT, decidePayin, openPayin } from '../../payments/index.ts';
import { takeBack, reportOfPayout } from '../../payments/testing.ts';
import { type Context, newId, outbox } from '../../platform/index.ts';
import { freely, refusal, testSealer } from '../../platform/testing.ts';
import { closedNow, directionOf, saveRailCost } from '../../pricing/index.ts';
import { actOnOrder } from '../actions/desk-actions.ts';
import { exchangeRoutes } from '../routes.ts';
import { ordersAmong } from '../proof/order-causes.ts';
import { type StoredOrder, readOrder } from '../order/store/order-store.ts';
import { type World, openWorld } from './world.testing.ts';

type Sides = 'give' | 'get' | 'both';
let world: World;
let handlers: ReturnType<typeof exchangeRoutes>;
before(async () => {
  world = await openWorld();
  handlers = exchangeRoutes({ ...world.deps, sealer: testSealer, factors: testSealer, operators: async () => 2 });
});
after(() => world.close());

const emailOf = (id: string): string => `${id}@example.org`;
const as = (id: string): Context =>
  ({
    ...{ user: { id, email: emailOf(id), sessionId: `session of ${id}` }, locale: 'en', ip: '203.0.113.7', deviceKey: id },
    ...freely,
  }) as unknown as Context;

async function holder(usdt = '0', level: Level = 3): Promise<string> {
  const id = newId();
  const { parts } = parse('USDT', usdt);
  await world.db.tx(async (tx) => {
    await tx.run(`insert into account_holder (id, email, email_key, locale, created_at) values ($1, $2, $2, 'en', clock_now())`, [
      id,
      emailOf(id),
    ]);
    await writeHolderMacs(tx);
    await setLevel(tx, id, level, 'test');
    const legs = [leg(accounts.custody('USDT_ERC20', 'hot', 'USDT'), accounts.wallet(id, 'USDT'), parts || 1n)];
    if (parts > 0n) await post(tx, [{ id: newId(), kind: 'deposit', cause: newId(), legs }]);
  });
  return id;
}
const has = (id: string, unit: string): Promise<bigint> => balance(world.db, accounts.wallet(id, unit));

/** Takes a calculation through its three steps. */
async function calculated(id: string, wallet: Sides | undefined, amount: string, from = 'USDT_ERC20', to = 'BTC') {
  const context = as(id);
  const begun = await handlers.step1({ from, to, amount, side: 'give', ...(wallet && { wallet }) }, context);
  const known = { id: begun.id, token: begun.token ?? '' };
  const account = (side: 'give' | 'get', code: string): Record<string, string> =>
    wallet === side || wallet === 'both' ? {} : { ...world.rails[code as 'BTC'].receiver() };
  const accounts_ = { receive: account('get', to), refund: account('give', from) };
  await handlers.step2({ ...known, ...accounts_, email: emailOf(id), terms_accepted: true, ask_me: false }, context);
  const review = await handlers.step3({ ...known, bot_token: 'sandbox' }, context);
  return { ...known, review };
}
const codeFor = (id: string, about: string): Promise<string> =>
  world.db.tx((tx) => makeCode(tx, { purpose: 'money_out', subject: `${id} session of ${id} ${about}` }));

async function place(id: string, wallet: Sides | undefined, amount: string, from?: string, to?: string) {
  const { review, ...known } = await calculated(id, wallet, amount, from, to);
  const otp = wallet === 'get' || wallet === undefined ? {} : { otp: await codeFor(id, known.id) };
  const order = await handlers.processOrder({ ...known, ...otp }, as(id));
  return { order, review };
}
test('from one wallet into another: done at the placing, exactly, without network costs', async () => {
  const ann = await holder('1000');
  const { order, review } = await place(ann, 'both', '450');
  assert.equal(order.status, 'done');
  assert.deepEqual(
    review.quote.fees.map(({ code }) => code).filter((code) => code === 'network' || code === 'sweep'),
    [],
  );
  assert.equal(await has(ann, 'USDT'), parse('USDT', '550').parts);
  assert.equal(await has(ann, 'BTC'), parse('BTC', order.get?.amount ?? '').parts);
  assert.deepEqual([order.receive?.wallet, order.refund?.wallet], [true, true]);
  await world.audit();
});

test('a debtor is refused before a code is requested', async () => {
  const ann = await holder('1000');
  const { review: _, ...known } = await calculated(ann, 'give', '450');
  const subject = { email: emailOf(ann), holder: { id: ann }, accounts: [] };
  await world.db.tx((tx) => noteDebt(tx, { id: newId(), about: 'order', unit: 'USDT', parts: 1n }, { subject, payers: [] }));
  assert.equal(await refusal(() => handlers.processOrder(known, as(ann))), 'debt_stops');
});

test('from a wallet to an address: paid at once, sent by its rail', async () => {
  const ann = await holder('1000');
  const { order } = await place(ann, 'give', '450');
  assert.equal(order.status, 'paying');
  assert.equal(await has(ann, 'USDT'), parse('USDT', '550').parts);
  for (let round = 0; round < 3; round += 1) await world.mine(20);
  assert.equal((await readOrder(world.db, order.id))?.view.state, 'completed');
  await world.audit();
});

test('from an address into a wallet: paid out with the exchange', async () => {
  const ann = await holder();
  const { order } = await place(ann, 'get', '450');
  const stored = await readOrder(world.db, order.id);
  assert.ok(stored);
  world.pay(stored);
  await world.mine(20);
  assert.equal((await readOrder(world.db, order.id))?.view.state, 'completed');
  assert.equal(await has(ann, 'BTC'), parse('BTC', order.get?.amount ?? '').parts);
  await world.audit();
});

test('nothing leaves a wallet unconfirmed, frozen, for somebody else or beyond its balance', async () => {
  const [ann, bob] = [await holder('1000'), await holder('1000')];
  const { review: _, ...known } = await calculated(ann, 'both', '450');
  assert.equal(await refusal(async () => handlers.processOrder(known, as(ann))), 'code_required');
  const other = await codeFor(ann, newId());
  assert.notEqual(await refusal(async () => handlers.processOrder({ ...known, otp: other }, as(ann))), 'done');
  const otp = await codeFor(ann, known.id);
  assert.equal(await refusal(async () => handlers.processOrder({ ...known, otp }, as(bob))), 'unauthorised');
  assert.equal(
    await refusal(async () => handlers.processOrder({ ...known, otp }, { ...as(ann), user: undefined })),
    'unauthorised',
  );
  const frozen = `update account_holder set frozen_until = clock_now() + $2 * interval '1 day', frozen_because = 'password_reset' where id = $1`;
  await world.db.run(frozen, [ann, 3]);
  await writeHolderMacs(world.db);
  assert.equal(await refusal(async () => handlers.processOrder({ ...known, otp }, as(ann))), 'withdrawals_frozen');
  await world.db.run(frozen, [ann, -1]);
  await writeHolderMacs(world.db);
  assert.equal(await has(ann, 'USDT'), parse('USDT', '1000').parts);
  assert.equal(await refusal(async () => handlers.processOrder({ ...known, otp }, as(ann))), 'done');
  const left = await world.db.rows('select from one_time_code where subject = $1', [`${ann} session of ${ann} ${known.id}`]);
  assert.equal(left.length, 0, 'the code is spent');
  assert.equal(await refusal(() => place(ann, 'both', '600')), 'not_enough_money');
  const asNobody = { ...as(ann), user: undefined };
  assert.equal(
    await refusal(async () =>
      handlers.step1({ from: 'USDT_ERC20', to: 'BTC', amount: '450', side: 'give', wallet: 'give' }, asNobody),
    ),
    'unauthorised',
  );
  await world.audit();
});

test('nothing is paid from a wallet with a debt for a reversed deposit', async () => {
  const ann = await holder('1000');
  const owes = [leg(accounts.receivable(ann, 'USDT'), accounts.owedRail('evm', 'USDT'), 1n)];
  await world.db.tx((tx) => post(tx, [{ id: newId(), kind: 'deposit_reversed', cause: newId(), legs: owes }]));
  for (const way of ['both', 'give'] as const) assert.equal(await refusal(() => place(ann, way, '450')), 'debt_open', way);
  assert.equal(await has(ann, 'USDT'), parse('USDT', '1000').parts);
});

test('a reversal found by a poll stops orders from its holder’s wallets until it is delivered', async () => {
  const ann = await holder('1000');
  // The room of wallets, which subscribes to payments into them.
  const wallets = { subscriber: 'wallets', kinds: [PAYIN_EVENT], about: 'wallet:', handle: async () => {} };
  await outbox.subscribe(world.db, [wallets]);
  const owner = { kind: 'wallet' as const, id: newId() };
  const request = { owner, currency: 'USDT_ERC20', parts: 0n, customerKey: customerOf({ email: '', holder: { id: ann } }) };
  const { to } = await world.db.tx((tx) => openPayin(tx, request));
  world.rails.USDT_ERC20.world.pay(to, parse('USDT', '400').parts, { currency: 'USDT_ERC20' });
  await world.mine(70);
  await outbox.drain(world.db, wallets);
  const [payin] = await world.db.rows<{ id: string }>(`select id from payin where owner_id = $1 and status = 'final'`, [
    owner.id,
  ]);
  const word = takeBack(payin?.id ?? '');
  const { order } = await place(ann, 'give', '250');
  await world.db.tx((tx) => decidePayin(tx, word));
  for (const way of ['both', 'give'] as const) assert.equal(await refusal(() => place(ann, way, '250')), 'reversal_pending', way);
  for (let round = 0; round < 3; round += 1) await world.mine();
  const { view } = (await readOrder(world.db, order.id)) as StoredOrder;
  assert.equal(view.state, 'paying');
  const [payout] = await world.db.rows<{ status: string; reason: string }>(
    'select status, reason from payout where owner_id = $1',
    [view.id],
  );
  assert.deepEqual(payout, { status: 'queued', reason: 'a payment was taken back, and its owner is not notified yet' });
  await outbox.drain(world.db, wallets);
  for (let round = 0; round < 3; round += 1) await world.mine(20);
  assert.equal((await readOrder(world.db, order.id))?.view.state, 'completed', 'what then is owed is asked by debts');
});

test('a payout found late stops its holder’s wallets at once, and is a debt once delivered', async () => {
  const [ann, bob] = [await holder('1000'), await holder('1000')];
  const { order } = await place(ann, 'give', '250');
  const stored = (await readOrder(world.db, order.id)) as StoredOrder;
  for (const event of ['send', 'unknown', 'absent'] as const) await world.report(stored, event);
  const [payout] = await world.db.rows<{ id: string }>('select id from payout where owner_id = $1', [stored.view.id]);
  await reportOfPayout(world.db, payout?.id ?? '', 'found_late');
  for (const way of ['both', 'give'] as const) assert.equal(await refusal(() => place(ann, way, '250')), 'reversal_pending', way);
  assert.equal(await refusal(() => place(bob, 'give', '250')), 'done', 'of others nothing is stopped');
  for (const _ of [1, 2]) await world.turn();
  assert.equal(await refusal(() => place(ann, 'give', '250')), 'debt_stops');
  await world.report(stored, 'late_settled');
  assert.equal(await refusal(() => place(ann, 'give', '250')), 'done');
});

test('payments out of a wallet wait by the wallet’s limits, not the order’s; those into one wait for nobody', async () => {
  const ann = await holder('20000');
  const { order } = await place(ann, 'give', '600');
  assert.equal(order.status, 'checking');
  assert.deepEqual((await readOrder(world.db, order.id))?.view.facts.approval, { people: 1 });
  const { order: inside } = await place(ann, 'both', '6000');
  assert.equal(inside.status, 'done');
  await world.audit();
});

test('automatic payouts of orders count towards the day: beyond the limit a person approves', async () => {
  const ann = await holder('20000');
  const people = [];
  for (let at = 0; at < 5; at += 1) {
    const { order } = await place(ann, 'give', '450');
    people.push((await readOrder(world.db, order.id))?.view.pinned.wallets?.people ?? 0);
  }
  assert.deepEqual(people, [0, 0, 0, 0, 1], '450 USD each, 2 000 a day');
  await world.audit();
});

test('a wallet’s money goes to a changed account only like a withdrawal: unfrozen, listed, with the second factor', async () => {
  const ann = await holder('1000');
  const { order } = await place(ann, 'give', '250');
  const stored = async () => (await readOrder(world.db, order.id)) as StoredOrder;
  await world.report(await stored(), 'send');
  await world.report(await stored(), 'refused');
  assert.equal((await stored()).view.state, 'undelivered');
  const [key, to] = [{ id: order.id, token: world.token(await stored()) }, { ...world.rails.BTC.receiver() }];
  const [moneyOut, other] = [moneyOutRoutes({ db: world.db, sealer: testSealer }), { ...world.rails.BTC.receiver() }];
  let otp = '';
  const choose = (more: object = {}) =>
    refusal(async () => handlers.orderChoose({ ...key, choice: 'new_account', account: to, otp, ...more }, as(ann)));
  const { view } = await stored();
  otp = await world.db.tx((tx) => makeCode(tx, { purpose: 'order', subject: view.id }));

  const frozen = `update account_holder set frozen_until = clock_now() + $2 * interval '1 day', frozen_because = 'password_reset' where id = $1`;
  await world.db.run(frozen, [ann, 3]);
  await writeHolderMacs(world.db);
  assert.equal(await choose(), 'withdrawals_frozen');
  await world.db.run(frozen, [ann, -1]);
  await writeHolderMacs(world.db);

  await moneyOut.walletAllowList({ on: true }, as(ann));
  assert.equal(await choose(), 'address_not_listed');
  await world.db.run('delete from moneyout_guard where holder_id = $1', [ann]);

  const shows = await withAuthenticator(world.db, testSealer, ann);
  assert.equal(await choose(), 'two_factor_required', 'a mailed code is no second factor');
  const shown = shows();
  assert.equal(await choose({ two_factor_code: shown === '000000' ? '000001' : '000000' }), 'two_factor_wrong');
  assert.equal(await choose({ two_factor_code: shown, otp: otp === '000000' ? '000001' : '000000' }), 'code_wrong');
  assert.equal((await stored()).view.state, 'undelivered');
  assert.equal(await choose({ two_factor_code: shown }), 'done');
  assert.equal((await stored()).view.state, 'paying');
  assert.equal(await choose({ two_factor_code: shown, account: other }), 'two_factor_wrong', 'its code is good once');
  await world.audit();
});

test('a refund into the paying wallet is distinguished from a payout', async () => {
  const ann = await holder('20000');
  const { order } = await place(ann, 'give', '600');
  const reported = async (number: string) => {
    const id = (await readOrder(world.db, number))?.view.id ?? '';
    return (await ordersAmong(world.db, ann, [id])).get(id);
  };
  // Nobody approves it in a day, and nobody reviews it in three more.
  await world.pass(24 * 60 + 1);
  await world.pass(72 * 60 + 1);
  assert.equal((await readOrder(world.db, order.id))?.view.facts.sent?.kind, 'refund');
  assert.equal(await has(ann, 'USDT'), parse('USDT', '20000').parts);
  assert.deepEqual([(await reported(order.id))?.refunds, (await reported(order.id))?.status], ['USDT', 'cancelled']);
  const { order: paidInto } = await place(ann, 'both', '450');
  assert.equal((await reported(paidInto.id))?.refunds, 'USDT', 'its bitcoin is no refund');
  await world.audit();
});

test('an order from a wallet counts towards the same limits as withdrawals do', async () => {
  const ann = await holder('20000', 1);
  await place(ann, 'both', '2900');
  assert.equal(await refusal(() => place(ann, 'both', '2500')), 'amount_above_limit');
});

test('while the allow-list is on, money leaves to listed addresses only; between wallets it needs none', async () => {
  const ann = await holder('1000');
  await moneyOutRoutes({ db: world.db, sealer: testSealer }).walletAllowList({ on: true }, as(ann));
  assert.equal(await refusal(() => place(ann, 'give', '450')), 'address_not_listed');
  assert.equal(await has(ann, 'USDT'), parse('USDT', '1000').parts);
  assert.equal(await refusal(() => place(ann, 'both', '450')), 'done');
});

async function freeze(id: string, days: number): Promise<void> {
  await world.db.run(
    `update account_holder set frozen_until = clock_now() + $2 * interval '1 day', frozen_because = 'password_reset' where id = $1`,
    [id, days],
  );
  await writeHolderMacs(world.db);
}
const approve = (number: string) =>
  refusal(() =>
    world.db.tx((tx) => actOnOrder(tx, world.deps.sender, { number, action: 'approve', by: 'olga', reason: 'looked at' })),
  );
const stateOf = async (number: string) => (await readOrder(world.db, number))?.view.state;

test('a waiting payout isn’t approved while its holder is frozen, owes money, or doesn’t list its address', async () => {
  const ann = await holder('20000');
  const { order } = await place(ann, 'give', '600');
  assert.equal(await stateOf(order.id), 'approving');
  await freeze(ann, 3);
  assert.equal(await approve(order.id), 'withdrawals_frozen');
  await freeze(ann, -1);
  await moneyOutRoutes({ db: world.db, sealer: testSealer }).walletAllowList({ on: true }, as(ann));
  assert.equal(await approve(order.id), 'not_on_allow_list');
  await world.db.run('delete from moneyout_guard where holder_id = $1', [ann]);
  const [owes, custody] = [accounts.receivable(ann, 'USDT'), accounts.custody('USDT_ERC20', 'hot', 'USDT')];
  const owe = (from: typeof owes, to: typeof owes) =>
    world.db.tx((tx) =>
      post(tx, [
        { id: newId(), kind: from === owes ? 'deposit_reversed' : 'deposit', cause: newId(), legs: [leg(from, to, 1n)] },
      ]),
    );
  await owe(owes, custody);
  assert.equal(await approve(order.id), 'debt_open');
  assert.equal(await stateOf(order.id), 'approving');
  await owe(custody, owes);
  assert.equal(await approve(order.id), 'done');
  assert.equal(await stateOf(order.id), 'paying');
  await world.audit();
});

test('a released payout is checked again as it leaves: if frozen it waits for people', async () => {
  const ann = await holder('1000');
  const { order } = await place(ann, 'give', '450');
  assert.equal(await stateOf(order.id), 'paying');
  await freeze(ann, 3);
  for (let round = 0; round < 2; round += 1) await world.mine();
  const stored = await readOrder(world.db, order.id);
  assert.deepEqual([stored?.view.state, stored?.view.facts.approval], ['approving', { people: 1 }]);
  const rows = await world.db.rows('select why from order_event where order_id = $1 and event = $2', [stored?.view.id, 'stop']);
  assert.deepEqual(rows, [{ why: 'withdrawals_frozen' }]);
  assert.equal(world.rails.BTC.world.executions(stored?.view.facts.transfer?.intent ?? ''), 0);
  assert.ok((await world.letters(stored as StoredOrder)).includes('checking'));
  await freeze(ann, -1);
  assert.equal(await approve(order.id), 'done');
  for (let round = 0; round < 3; round += 1) await world.mine(20);
  assert.equal(await stateOf(order.id), 'completed');
  await world.audit();
});

test('a changed account is checked again after its day’s wait: if frozen it is dropped', async () => {
  const ann = await holder('1000');
  const { order } = await place(ann, 'give', '450');
  const stored = async () => (await readOrder(world.db, order.id)) as StoredOrder;
  await world.report(await stored(), 'send');
  await world.report(await stored(), 'refused');
  const before_ = (await stored()).view.receive;
  const { view } = await stored();
  const otp = await world.db.tx((tx) => makeCode(tx, { purpose: 'order', subject: view.id }));
  const shows = await withAuthenticator(world.db, testSealer, ann);
  const account = { ...world.rails.BTC.receiver() };
  const key = { id: order.id, token: world.token(await stored()) };
  const chosen = await refusal(async () =>
    handlers.orderChoose({ ...key, choice: 'new_account', account, otp, two_factor_code: shows() }, as(ann)),
  );
  assert.equal(chosen, 'done');
  assert.ok((await stored()).view.facts.pending, 'above 300 USD it waits');
  await freeze(ann, 3);
  await world.pass(24 * 60 + 1);
  const { state, receive, facts } = (await stored()).view;
  assert.deepEqual([state, receive, facts.pending], ['undelivered', before_, undefined]);
  const rows = await world.db.rows(`select why from order_event where order_id = $1 and event = 'account_stopped'`, [view.id]);
  assert.deepEqual(rows, [{ why: 'withdrawals_frozen' }]);
  await world.audit();
});

test('a changed account of an order without wallets is dropped, too, if its holder is frozen', async () => {
  world.holdSends();
  const ann = await holder();
  const { order } = await place(ann, undefined, '450');
  const stored = async () => (await readOrder(world.db, order.id)) as StoredOrder;
  world.pay(await stored());
  await world.mine(20);
  await world.report(await stored(), 'send');
  await world.report(await stored(), 'refused');
  const { view } = await stored();
  const otp = await world.db.tx((tx) => makeCode(tx, { purpose: 'order', subject: view.id }));
  const key = { id: order.id, token: world.token(await stored()) };
  await handlers.orderChoose({ ...key, choice: 'new_account', account: { ...world.rails.BTC.receiver() }, otp }, as(ann));
  assert.ok((await stored()).view.facts.pending, 'above 300 USD it waits');
  await freeze(ann, 3);
  await world.pass(24 * 60 + 1);
  const { state, receive, facts } = (await stored()).view;
  assert.deepEqual([state, receive, facts.pending], ['undelivered', view.receive, undefined]);
  await world.audit();
});

test('costs close a direction only for customers whose small limits they exceed: not for known ones, nor between wallets', async (t) => {
  const closed = () => closedNow(directionOf('USDT_ERC20', 'BTC'));
  const cost = async (fixed?: string): Promise<void> => {
    await world.db.tx((tx) =>
      saveRailCost(tx, { currency: 'BTC', side: 'payout', ...(fixed !== undefined && { fixed }) }, 'test'),
    );
    for (let tries = 0; tries < 200 && (closed() === 'costs') !== (fixed !== undefined); tries += 1) {
      await pause(50);
      await world.pass(0);
    }
  };
  t.after(() => cost());
  // 63 USD are a twentieth of 1 260, and a visitor may exchange 1 000.
  await cost('0.0007');
  assert.equal(closed(), 'costs');
  const { order } = await place(await holder(), undefined, '2000');
  assert.equal(order.status, 'waiting');
  assert.equal((await place(await holder('1000', 1), 'both', '450')).order.status, 'done');
});
