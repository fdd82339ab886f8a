// Deposits by voucher: any worth is credited to the holder, and a useless voucher is reported.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Problem } from '@kurs/contract';
import { writeHolderMacs } from '../../auth/testing.ts';
import { subscriptionsOf } from '../../collecting/index.ts';
import { configureCompliance } from '../../compliance/index.ts';
import { verify } from '../../ledger/index.ts';
import { type Desk, openDesk } from '../../payments/testing.ts';
import { type Context, outbox, newId } from '../../platform/index.ts';
import { testSealer } from '../../platform/testing.ts';
import { seedPricing, watchPricing } from '../../pricing/index.ts';
import { WALLET_OWNER } from '../wallet-owner.ts';
import { SENDER } from './world.testing.ts';
import { walletRoutes } from '../routes.ts';

const subscriptions = subscriptionsOf([WALLET_OWNER], SENDER);
const CODE = 'PMV_USD';
let desk: Desk;
let handlers: ReturnType<typeof walletRoutes>;
let stop: () => Promise<void>;
let ann: string;

before(async () => {
  configureCompliance({ botKey: 'key', isLoopbackCounted: true });
  const currencies = [{ code: CODE, unit: CODE, payDigits: 2, dust: 1n }];
  desk = await openDesk({ id: 'perfectmoney', currencies, provider: { hasDedupe: false, by: 'voucher' } });
  const { db } = desk;
  const listed = { code: CODE, name: 'Perfect Money', kind: 'ewallet' as const, confirmations: '1', position: 1 };
  await db.tx((tx) => seedPricing(tx, { currencies: [listed], directions: [] }));
  const pricing = await watchPricing(db);
  await pricing.refresh();
  stop = () => pricing.stop();
  handlers = walletRoutes({ db, sealer: testSealer });
  await outbox.subscribe(db, subscriptions);
  ann = newId();
  await db.run(`insert into account_holder (id, email, email_key, locale, created_at) values ($1, $2, $2, 'en', clock_now())`, [
    ann,
    'ann@example.org',
  ]);
  await writeHolderMacs(db);
});
after(async () => {
  await stop();
  await desk.close();
});

const me = (): Context =>
  ({ user: { id: ann, email: 'ann@example.org', sessionId: newId() }, locale: 'en', limit: () => {} }) as never;
const turn = async (): Promise<void> => {
  await desk.turn();
  await desk.pass(61_000);
  await desk.turn();
  for (const subscription of subscriptions) await outbox.drain(desk.db, subscription);
};

test('a deposit without a sum takes a voucher, and its whole worth arrives', async () => {
  const payer = { ...desk.receiver() };
  const { id } = await handlers.walletDepositAsk({ currency: CODE, rail: 'perfectmoney', payer }, me());
  await turn();
  const open = await handlers.walletDepositAsked({ id }, me());
  assert.deepEqual([open.status, open.pay?.kind, open.amount], ['open', 'voucher', undefined]);
  const enter = async (number: string) => handlers.walletDepositRedeem({ id, fields: { number } }, me());
  await assert.rejects(
    () => enter('12'),
    (error: Problem) => error.code === 'validation',
  );
  await enter('99-99');
  await turn();
  assert.equal((await handlers.walletDepositAsked({ id }, me())).entry, 'wrong');
  desk.world.vouchers.set('1234', { parts: 1_250n, isUsed: false });
  await enter('1234');
  await turn();
  const paid = await handlers.walletDepositAsked({ id }, me());
  assert.deepEqual([paid.status, paid.entry, paid.deposits[0]?.amount], ['paid', 'taken', '12.50']);
  assert.equal((await handlers.wallets({}, me()))[0]?.available, '12.50');
  await assert.rejects(
    () => enter('5678'),
    (error: Problem) => error.code === 'order_changed',
    'nothing is awaited any more',
  );
  assert.deepEqual((await verify(desk.db)).faults, []);
});
