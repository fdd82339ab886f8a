// Sends in doubt and sends found late: two people decide each, for orders and withdrawals alike.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Problem, routes } from '@kurs/contract';
import { accounts } from '../../../ledger/index.ts';
import { type WalletWorld, as, walletWorld } from '../../../wallets/testing.ts';
import { debtsView } from './debts.ts';
import { actOnDoubt, actOnFoundLate, doubtsView, foundLateView } from './doubts.ts';
import { addPerson } from '../../people/person.testing.ts';
import type { Person } from '../../people/roles.ts';
import { OWNERS } from '../../owners.testing.ts';

const reason = 'read their list';
const evidence = 'their list of the day: nothing under this reference';
const fails = (code: string) => (error: Problem) => error.code === code;
let world: WalletWorld;
let olga: Person;
let oleg: Person;
let kim: Person;

before(async () => {
  world = await walletWorld({ vouchers: true });
  const { db } = world.desk;
  [olga, oleg, kim] = [await addPerson(db, 'olga'), await addPerson(db, 'oleg'), await addPerson(db, 'kim', 'compliance')];
});
after(() => world.close());

test('two people decide a withdrawal in doubt, and settle it when the send is found late', async () => {
  const { desk } = world;
  const { db } = desk;
  const ann = await world.holder('0.01');
  desk.world.inject('send', { kind: 'lost' });
  desk.world.inject('find', { kind: 'lie' }, 50);
  const { id } = await world.withdraw(ann, '0.002');
  await world.settle();
  const doubts = routes.operatorDoubts.output.parse(await doubtsView(db, OWNERS));
  assert.deepEqual(
    doubts.map((one) => [one.id, one.owner, one.amount, one.used, one.may_tell]),
    [[id, `wallet ${id}`, '0.00198500', false, false]],
  );
  const not = { id, action: 'not_sent', evidence, reason } as const;
  await assert.rejects(actOnDoubt(db, kim, not), fails('forbidden'));
  assert.equal((await actOnDoubt(db, olga, not)).status, 'awaiting_second');
  await assert.rejects(actOnDoubt(db, olga, not), fails('same_person'));
  await assert.rejects(actOnDoubt(db, oleg, { ...not, evidence: 'another' }), fails('request_differs'));
  await db.run(`update payout set status_at = status_at + interval '1 minute' where id = $1`, [id]);
  assert.equal((await actOnDoubt(db, oleg, not)).status, 'awaiting_second', 'it was sent once more since olga read their list');
  assert.equal((await actOnDoubt(db, olga, not)).status, 'done');
  await assert.rejects(actOnDoubt(db, oleg, { ...not, action: 'sent' }), fails('action_not_open'));
  assert.deepEqual(await doubtsView(db, OWNERS), []);

  desk.world.calm();
  await desk.pass(24 * 60 * 60_000);
  await world.settle();
  const found = routes.operatorFoundLate.output.parse(await foundLateView(db, OWNERS));
  assert.deepEqual(
    found.map((one) => [one.id, one.status, one.amount]),
    [[id, 'open', '0.00198500']],
  );
  const [debt] = routes.operatorDebts.output.parse(await debtsView(db, OWNERS));
  assert.deepEqual([debt?.id, debt?.about, debt?.owed.amount], [id, 'payout', '0.00198500']);
  assert.match(debt?.email ?? '', /@/);
  const counts = { id, action: 'counts', evidence, reason } as const;
  assert.equal((await actOnFoundLate(db, OWNERS, olga, counts)).status, 'awaiting_second');
  await db.run(`update payment_found_late set found_at = found_at + interval '1 minute' where payout_id = $1`, [id]);
  assert.equal((await actOnFoundLate(db, OWNERS, oleg, counts)).status, 'awaiting_second', 'it is another find than olga saw');
  assert.equal((await actOnFoundLate(db, OWNERS, olga, counts)).status, 'done');
  assert.deepEqual(await foundLateView(db, OWNERS), []);
  assert.deepEqual([await world.available(ann), await desk.balance(accounts.receivable(ann, 'BTC'))], [800_000n, 0n]);
  const { data } = await world.handlers.walletWithdrawRequests({ page: 1, per_page: 20 }, as(ann));
  assert.equal(data[0]?.status, 'done');
  await assert.rejects(actOnFoundLate(db, OWNERS, olga, { ...counts, action: 'write_off' }), fails('action_not_open'));
  await world.isRight();
});
