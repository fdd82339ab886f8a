// A withdrawal that counted as not sent and was: its money is both in the wallet and outside. Nothing else leaves until the
// withdrawal is paid for.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openDebts } from '../../compliance/index.ts';
import { accounts } from '../../ledger/index.ts';
import { reversalsPending } from '../../moneyout/index.ts';
import { countFound, foundLate, resolvePayout } from '../../payments/index.ts';
import { newId } from '../../platform/index.ts';
import { refusal } from '../../platform/testing.ts';
import { WALLET_OWNER } from '../wallet-owner.ts';
import { payFoundWithdrawal } from '../withdrawals/pay-found.ts';
import { type WalletWorld, as, walletWorld } from './world.testing.ts';

let world: WalletWorld;
before(async () => {
  world = await walletWorld({ vouchers: true });
});
after(() => world.close());

const two = { by: ['ann', 'bob'], evidence: 'the provider’s list' };
const newest = async (holder: string) =>
  (await world.handlers.walletWithdrawRequests({ page: 1, per_page: 20 }, as(holder))).data[0]?.status;
const owed = (holder: string): Promise<bigint> => world.desk.balance(accounts.receivable(holder, 'BTC'));

/** Makes a withdrawal that was sent without an answer, that two people declared not sent, and that turns up days later. */
async function turnedUp(holder: string): Promise<string> {
  const { desk } = world;
  desk.world.inject('send', { kind: 'lost' });
  desk.world.inject('find', { kind: 'lie' }, 50);
  const { id } = await world.withdraw(holder, '0.002');
  await world.settle();
  assert.equal(await newest(holder), 'in_doubt');
  await desk.db.tx((tx) => resolvePayout(tx, id, 'not_sent', { statement: 'not there', by: ['ann', 'bob'] }));
  await world.settle();
  assert.deepEqual([await newest(holder), await world.available(holder)], ['failed', 1_000_000n]);
  desk.world.calm();
  await desk.pass(24 * 60 * 60_000);
  await world.settle();
  return id;
}

test('its holder owes the payout that turned up, and can send nothing until people have decided', async () => {
  const ann = await world.holder('0.01');
  const id = await turnedUp(ann);
  assert.equal(await owed(ann), 198_500n);
  const pending = async () => [...(await reversalsPending(world.desk.db, [ann, newId()]))];
  assert.deepEqual(await pending(), [ann], 'before it is booked as owed, too');
  assert.equal(await refusal(() => world.withdraw(ann, '0.001')), 'debt_open');
  assert.deepEqual(
    (await openDebts(world.desk.db, 10)).map((one) => [one.id, one.about, one.parts]),
    [[id, 'payout', 198_500n]],
  );
  assert.deepEqual(
    (await foundLate(world.desk.db, 10)).map((one) => [one.id, one.party]),
    [[id, ann]],
  );
  await world.desk.db.tx((tx) => countFound(tx, newId(), { id, ...two }, WALLET_OWNER.payFound?.payout));
  await world.settle();
  assert.deepEqual([await openDebts(world.desk.db, 10), await pending()], [[], []]);
  await assert.rejects(
    world.desk.db.tx((tx) => payFoundWithdrawal(tx, { id, txid: 'found', by: two.by })),
    { code: 'action_not_open' },
  );
  assert.deepEqual([await owed(ann), await world.available(ann), await newest(ann)], [0n, 800_000n, 'done']);
  await world.isRight();
});
