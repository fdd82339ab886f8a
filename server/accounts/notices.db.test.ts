// An account holder's notices: from every room, newest first, only the own ones, and new until read.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { routes } from '@kurs/contract';
import { securityChangeTokens } from '../auth/index.ts';
import { newId } from '../platform/index.ts';
import { type WalletWorld, as, emailOf, walletWorld } from '../wallets/testing.ts';
import { watchAccounts } from './account-watch.ts';
import { noticeHandlers } from './notices.ts';
import { ORDER_OWNER } from '../exchange/index.ts';
import { WALLET_OWNER } from '../wallets/index.ts';

let world: WalletWorld;
let handlers: ReturnType<typeof noticeHandlers>;
before(async () => {
  world = await walletWorld();
  handlers = noticeHandlers(world.desk.db);
});
after(() => world.close());

const reported = async (holder: string) => {
  const answer = await handlers.userNotices({}, as(holder));
  return { ...answer, kinds: answer.notices.map(({ kind }) => kind) };
};
const changed = (holder: string, kind: string, ip: string | null) =>
  world.desk.db.run('insert into account_notice (id, holder_id, kind, ip, at) values ($1, $2, $3, $4, clock_now())', [
    ...[newId(), holder, kind],
    ip,
  ]);

test('lists each payment and change once, in its present state, newest first, for its holder only', async () => {
  const [ann, bob] = [await world.holder('0.1'), await world.holder()];
  assert.deepEqual((await reported(ann)).notices, []);
  const { id } = await world.withdraw(ann, '0.001');
  assert.deepEqual((await reported(ann)).notices, [], 'that it was asked for is no news');
  await world.settle();
  await changed(ann, 'new_device', '203.0.113.7');
  await world.transfer(ann, '0.002', emailOf(bob));
  const hers = await reported(ann);
  assert.deepEqual(hers.kinds, ['new_device', 'withdrawal_done']);
  assert.deepEqual(routes.userNotices.output.parse({ new: hers.new, notices: hers.notices }).notices, hers.notices);
  assert.deepEqual(
    hers.notices.map((one) => [one.ip, one.id === id, one.money?.amount]),
    [
      ['203.0.113.7', false, undefined],
      [undefined, true, '0.00100000'],
    ],
  );
  const his = await reported(bob);
  assert.deepEqual(his.kinds, ['transfer_received']);
  assert.match(his.notices[0]?.person ?? '', /•••@example\.org$/);
});

test('notifies only the holder of new notices', async () => {
  const [ann, bob] = [await world.holder(), await world.holder()];
  const marks = async () => {
    const found = await securityChangeTokens(world.desk.db, [ann, bob]);
    return [found.get(ann), found.get(bob)];
  };
  const before_ = await marks();
  await changed(ann, 'new_device', '203.0.113.7');
  const [hers, his] = await marks();
  assert.notEqual(hers, before_[0]);
  assert.equal(his, before_[1]);
});

test('lists a deposit once it has arrived, with its transaction', async () => {
  const ann = await world.holder();
  const { deposit } = await world.handlers.walletStore({ currency: 'BTC', rail: 'bitcoin' }, as(ann));
  world.desk.world.pay(deposit!.address, 500_000n);
  await world.settle();
  const { notices } = await reported(ann);
  assert.deepEqual(
    notices.map(({ kind, money }) => [kind, money?.amount]),
    [['deposit_final', '0.00500000']],
  );
  const found = await world.handlers.userTransactions({ q: notices[0]?.txid, page: 1, per_page: 20 }, as(ann));
  assert.deepEqual(
    found.data.map(({ amount }) => amount),
    ['0.00500000'],
  );
});

test('a notice is new until its holder has read it in any browser', async () => {
  const [ann, bob] = [await world.holder(), await world.holder()];
  for (const holder of [ann, bob]) await changed(holder, 'password_set', null);
  assert.equal((await reported(ann)).new, 1);
  await handlers.userNoticesSeen({}, as(ann));
  assert.deepEqual([(await reported(ann)).new, (await reported(bob)).new], [0, 1]);
  await world.desk.pass(1_000);
  await changed(ann, 'two_factor_on', '203.0.113.7');
  const { notices } = await reported(ann);
  assert.deepEqual(
    notices.map((one) => [one.kind, one.new]),
    [
      ['two_factor_on', true],
      ['password_set', false],
    ],
  );
});

test('lists thirty notices, and notifies an open page of each new one', async () => {
  const ann = await world.holder();
  const watch = watchAccounts(world.desk.db, [ORDER_OWNER, WALLET_OWNER]);
  const mark = async () => (await watch.work({}, as(ann))).mark;
  const before = await mark();
  for (let count = 0; count < 31; count += 1) await changed(ann, 'new_device', null);
  assert.notEqual(await mark(), before);
  await watch.stop();
  assert.equal((await reported(ann)).notices.length, 30);
});
