// Withdrawals as a voucher: shown only to their holder, recorded, and taken back if nobody has seen them.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { parse } from '@kurs/money';
import { addBlock, keysOfNamed, liftBlock, openBlocks } from '../../compliance/index.ts';
import { wouldPass } from '../../moneyout/index.ts';
import { refusal } from '../../platform/testing.ts';
import { remainingInWallets } from '../remaining-money.ts';
import { type WalletWorld, as, emailOf, walletWorld } from './world.testing.ts';

let world: WalletWorld;
before(async () => {
  world = await walletWorld({ vouchers: true });
});
after(() => world.close());

const DAYS_91 = 91 * 86_400_000;
const page = { page: 1, per_page: 20 };

async function bought(): Promise<{ ann: string; id: string }> {
  const ann = await world.holder('0.01');
  const { id } = await world.withdraw(ann, '0.002');
  assert.equal(await refusal(async () => world.handlers.walletWithdrawVoucher({ id }, as(ann))), 'nothing_to_show');
  await world.settle();
  return { ann, id };
}
const one = async (ann: string) => (await world.handlers.walletWithdrawRequests(page, as(ann))).data[0];

test('is shown to its holder: once directly, later with a step-up; each showing is recorded', async () => {
  const [{ ann, id }, eve] = [await bought(), await world.holder()];
  assert.deepEqual([(await one(ann))?.status, (await one(ann))?.voucher], ['done', 'unseen']);
  assert.equal(await remainingInWallets(world.desk.db, ann), 'withdrawal', 'a voucher that nobody has seen is theirs');
  assert.equal(await remainingInWallets(world.desk.db, eve), undefined);
  const show = (who: string, codes = {}) => world.handlers.walletWithdrawVoucher({ id, ...codes }, as(who));
  assert.equal(await refusal(async () => show(eve)), 'not_found');
  const { fields } = await show(ann);
  assert.match(fields['code'] ?? '', /^code of /);
  assert.equal((await one(ann))?.voucher, 'seen');
  assert.equal(await refusal(async () => show(ann)), 'code_required');
  const about = (what: object) => world.handlers.walletConfirmation({ action: 'voucher', ...what }, as(ann));
  const other = await world.code(ann, (await about({ id: ann })).confirmation);
  assert.equal(await refusal(async () => show(ann, { otp: other })), 'code_expired', 'a code for another voucher');
  const otp = await world.code(ann, (await about({ id })).confirmation);
  assert.deepEqual((await show(ann, { otp })).fields, fields);
  assert.equal(await refusal(async () => show(ann, { otp })), 'code_expired', 'a code is good once');
  const stored = await world.desk.db.rows('select from payout_voucher_shown where payout_id = $1', [id]);
  assert.equal(stored.length, 2);
  await world.desk.pass(DAYS_91);
  assert.equal(await refusal(async () => show(ann, { otp: '000000' })), 'nothing_to_show');
  await world.settle();
  assert.equal((await one(ann))?.status, 'done', 'what was seen is not taken back');
  await world.isRight();
});

test('is not shown to a holder who was blocked before seeing it: until then its money has not left', async () => {
  const { db } = world.desk;
  const { ann, id } = await bought();
  const show = () => refusal(async () => world.handlers.walletWithdrawVoucher({ id }, as(ann)));
  const who = emailOf(ann);
  await db.tx(async (tx) => {
    const keys = await keysOfNamed(tx, who);
    await addBlock(tx, { who, by: 'clara', reason: 'the police asks', evidence: 'their letter', keys });
  });
  assert.equal(await show(), 'blocked');
  const [block] = await openBlocks(db, who);
  await db.tx((tx) => liftBlock(tx, block?.id ?? '', 'clara, karl'));
  assert.equal(await show(), 'done');
});

test('is not made while the allow-list is on, since a voucher has no known recipient', async () => {
  const { db } = world.desk;
  const id = await world.holder();
  await world.handlers.walletAllowList({ on: true }, as(id));
  const voucher = { currency: 'BTC', key: '' };
  const action = {
    kind: 'withdrawal',
    holder: { id, email: emailOf(id) },
    usd: parse('USD', '1'),
    unit: 'BTC',
    to: voucher,
  } as const;
  const pass = async () => wouldPass(db, { ...action, field: 'rail', isOutgoing: true }, await db.now());
  assert.equal(await refusal(pass), 'voucher_not_listed');
});

test('is taken back if nobody has seen it for 90 days: its worth returns to the wallet', async () => {
  const { ann, id } = await bought();
  world.desk.world.mine(70);
  await world.desk.pass(DAYS_91);
  await world.settle();
  assert.deepEqual([(await one(ann))?.status, (await one(ann))?.voucher], ['returned', undefined]);
  assert.equal(await refusal(async () => world.handlers.walletWithdrawVoucher({ id }, as(ann))), 'nothing_to_show');
  // All of it but the fee of sending it.
  assert.equal(await world.available(ann), 998_500n);
  await world.isRight();
});
