// One full balance, requested two hundred times at once by every way that money leaves a wallet: exactly one passes.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Problem } from '@kurs/contract';
import { parse } from '@kurs/money';
import { writeHolderMacs } from '../auth/testing.ts';
import { makeCode } from '../auth/index.ts';
import { setLevel } from '../compliance/index.ts';
import { exchangeRoutes } from '../exchange/index.ts';
import { type World, openWorld } from '../exchange/testing.ts';
import { accounts, balance, leg, post, verify } from '../ledger/index.ts';
import { type Context, configureLog, newId } from '../platform/index.ts';
import { freely, testSealer } from '../platform/testing.ts';
import { moneyOutOfWallets } from '../wallets/index.ts';

const ACTIONS = 200;
const FULL = 450;

let world: World;
let handlers: ReturnType<typeof exchangeRoutes> & ReturnType<typeof moneyOutOfWallets>;
before(async () => {
  world = await openWorld();
  const exchange = exchangeRoutes({ ...world.deps, factors: testSealer, operators: async () => 2 });
  handlers = { ...exchange, ...moneyOutOfWallets({ db: world.db, sealer: testSealer, voucher: testSealer, name: 'Kurs' }) };
});
after(() => world.close());

const emailOf = (id: string): string => `${id}@example.org`;
const as = (id: string): Context =>
  ({
    ...{ user: { id, email: emailOf(id), sessionId: `session of ${id}` }, locale: 'en', ip: '203.0.113.7', deviceKey: id },
    ...freely,
  }) as unknown as Context;
const codeFor = (id: string, about = ''): Promise<string> =>
  world.db.tx((tx) => makeCode(tx, { purpose: 'money_out', subject: `${id} session of ${id} ${about}` }));

async function holder(usdt: number): Promise<string> {
  const id = newId();
  await world.db.tx(async (tx) => {
    await tx.run(`insert into account_holder (id, email, email_key, locale, created_at) values ($1, $2, $2, 'en', clock_now())`, [
      id,
      emailOf(id),
    ]);
    await writeHolderMacs(tx);
    await setLevel(tx, id, 3, 'test');
    const { parts } = parse('USDT', String(usdt));
    if (parts === 0n) return;
    const legs = [leg(accounts.custody('USDT_ERC20', 'hot', 'USDT'), accounts.wallet(id, 'USDT'), parts)];
    await post(tx, [{ id: newId(), kind: 'deposit', cause: newId(), legs }]);
  });
  return id;
}

type Action = () => Promise<unknown>;

/** Each action has another amount, since a code works for one: any two of them exceed the balance. */
const amountOf = (at: number): string => (FULL - at / 100).toFixed(2);

async function withdrawal(id: string, amount: string): Promise<Action> {
  const request = { currency: 'USDT', rail: 'evm', amount, to: { ...world.rails.USDT_ERC20.receiver() } };
  const { confirmation } = await handlers.walletWithdrawQuote(request, as(id));
  const otp = await codeFor(id, confirmation);
  return () => handlers.walletWithdrawRequest({ ...request, otp }, as(id));
}

async function transfer(id: string, amount: string, to: string): Promise<Action> {
  const { confirmation } = await handlers.walletConfirmation({ action: 'transfer', currency: 'USDT', amount, email: to }, as(id));
  const otp = await codeFor(id, confirmation);
  return () => handlers.walletTransfer({ currency: 'USDT', amount, to, otp }, as(id));
}

async function order(id: string, amount: string): Promise<Action> {
  const request = { from: 'USDT_ERC20', to: 'BTC', amount, side: 'give', wallet: 'both' } as const;
  const begun = await handlers.step1(request, as(id));
  const known = { id: begun.id, token: begun.token ?? '' };
  await handlers.step2({ ...known, receive: {}, refund: {}, email: emailOf(id), terms_accepted: true, ask_me: false }, as(id));
  await handlers.step3({ ...known, bot_token: 'sandbox' }, as(id));
  const otp = await codeFor(id, begun.id);
  return () => handlers.processOrder({ ...known, otp }, as(id));
}

async function reported(action: Action): Promise<string> {
  try {
    await action();
    return 'done';
  } catch (error) {
    assert.ok(error instanceof Problem, String(error));
    return error.code;
  }
}

test(`of ${ACTIONS} withdrawals, transfers and orders of one full balance at once exactly one passes`, async () => {
  const [ann, bob] = [await holder(FULL), await holder(0)];
  const actions: Action[] = [];
  for (let at = 0; at < ACTIONS; at += 1) {
    const amount = amountOf(at);
    if (at % 3 === 0) actions.push(await withdrawal(ann, amount));
    else actions.push(at % 3 === 1 ? await transfer(ann, amount, emailOf(bob)) : await order(ann, amount));
  }
  const answers = await Promise.all(actions.map(reported));
  assert.equal(answers.filter((one) => one === 'done').length, 1, [...new Set(answers)].join(' '));
  const others = new Set(['done', 'not_enough_money', 'unavailable']);
  assert.ok(
    answers.every((one) => others.has(one)),
    [...new Set(answers)].join(' '),
  );
  assert.ok((await balance(world.db, accounts.wallet(ann, 'USDT'))) <= parse('USDT', '2').parts);
  assert.deepEqual((await verify(world.db)).faults, []);
});

/** Actions of a holder that touch another's rows, or their own while another's touch them. */
const OF_TWO: Record<string, (own: string, other: string, at: number) => Promise<Action>> = {
  transfer: (own, other, at) => transfer(own, `${at + 1}`, emailOf(other)),
  withdrawal: (own, _other, at) => withdrawal(own, `${60 + at}`),
  order: (own, _other, at) => order(own, `${60 + at}`),
};

test('whatever two holders do to each other at once, neither waits for the other in a circle', async () => {
  const waited: string[] = [];
  configureLog({ level: 'warn', sink: (line) => void (line.includes('40P01') && waited.push(line)) });
  const names = Object.keys(OF_TWO);
  const pairs = names.flatMap((one, at) => names.slice(at).map((two) => [one, two] as const));
  for (const [one, two] of pairs) {
    // Rates are valid for 30 seconds, the maximum for all pairs together.
    await world.price('90000');
    const [ann, bob] = [await holder(FULL), await holder(FULL)];
    const actions = [];
    for (let at = 0; at < 3; at += 1) actions.push(await OF_TWO[one]!(ann, bob, at), await OF_TWO[two]!(bob, ann, at + 3));
    const answers = new Set(await Promise.all(actions.map(reported)));
    for (const other of ['done', 'too_many_unpaid_orders', 'not_enough_money']) answers.delete(other);
    assert.deepEqual([[...answers], waited], [[], []], `${one} and ${two}`);
  }
});
