// Withdrawals confirmed at the same moment: done in one transaction, each whole or refused separately; a repeated call gets its
// own response.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Problem } from '@kurs/contract';
import { writeHolderMacs } from '../../auth/testing.ts';
import { newId } from '../../platform/index.ts';
import { openIdempotency, testSealer } from '../../platform/testing.ts';
import { type WalletWorld, as, emailOf, walletWorld } from './world.testing.ts';

let world: WalletWorld;
before(async () => {
  world = await walletWorld();
});
after(() => world.close());

const holders = (count: number, btc: string): Promise<string[]> =>
  Promise.all(Array.from({ length: count }, () => world.holder(btc)));

/** Returns a withdrawal's input, with the code for it. */
async function confirmed(holder: string, btc: string) {
  const request = { currency: 'BTC', rail: 'bitcoin', amount: btc, to: world.address() };
  const { confirmation } = await world.handlers.walletWithdrawQuote(request, as(holder));
  return { ...request, otp: await world.code(holder, confirmation) };
}

type Confirmed = Awaited<ReturnType<typeof confirmed>>;

/**
 * Requests all while another withdrawal holds up the group before theirs. Returns for each its status, or the code of its
 * problem.
 */
async function maxAtOnce(asks: readonly (readonly [holder: string, input: Confirmed])[]): Promise<string[]> {
  const { db } = world.desk;
  const [first] = (await holders(1, '0.01')) as [string];
  const before = await confirmed(first, '0.0001');
  const requests = await db.tx(async (tx) => {
    await tx.row(`select pg_advisory_xact_lock(hashtext('moneyout.desk'))`);
    const held = world.handlers.walletWithdrawRequest(before, as(first));
    while ((await db.rows(WAITING)).length === 0) await sleep(5);
    const all = asks.map(([holder, input]) => world.handlers.walletWithdrawRequest(input, as(holder)));
    // By now they wait for the group.
    await sleep(250);
    return [held, ...all];
  });
  const outcomes = (await Promise.allSettled(requests)).slice(1);
  return outcomes.map((one) => (one.status === 'fulfilled' ? one.value.status : (one.reason as Problem).code));
}

const WAITING = `select pid from pg_locks join pg_stat_activity using (pid) where not granted and datname = current_database()`;

/** Returns the number of transactions in which the withdrawals of these holders were written. */
const transactionsOf = async (ids: readonly string[]): Promise<number> =>
  (await world.desk.db.rows('select distinct xmin::text from wallet_withdrawal where holder_id = any ($1::uuid[])', [ids]))
    .length;

test('withdrawals confirmed at the same moment share a transaction, and a refused one doesn’t affect the others', async () => {
  const people = await holders(4, '0.01');
  const [ann, bob, cat, dan] = people as [string, string, string, string];
  const sums = ['0.002', '0.009', '0.002', '0.003'];
  const inputs = await Promise.all(people.map((id, at) => confirmed(id, sums[at] ?? '')));
  await world.desk.db.run(
    `update account_holder set frozen_until = clock_now() + interval '1 day', frozen_because = 'password_reset' where id = $1`,
    [cat],
  );
  await writeHolderMacs(world.desk.db);
  // People must approve more than 500 USD.
  const outcomes = await maxAtOnce(people.map((id, at) => [id, inputs[at]!]));
  assert.deepEqual(outcomes, ['queued', 'approving', 'withdrawals_frozen', 'queued']);
  assert.ok((await transactionsOf([ann, bob, dan])) < 3);
  const there = await Promise.all(people.map((id) => world.available(id)));
  assert.deepEqual(there, [800_000n, 100_000n, 1_000_000n, 700_000n]);
  const left = await world.desk.db.rows<{ subject: string }>('select subject from one_time_code');
  const isSpent = (holder: string): boolean => !left.some(({ subject }) => subject.startsWith(holder));
  assert.deepEqual(people.map(isSpent), [true, true, false, true]);
  assert.deepEqual(await Promise.all(people.map(async (id) => (await world.letters(id)).length)), [1, 1, 0, 1]);
  await world.settle();
  assert.equal((await world.handlers.walletWithdrawRequests({ page: 1, per_page: 20 }, as(dan))).data[0]?.status, 'done');
  await world.isRight();
});

test('a withdrawal refused by the ledger is refused alone, and its code can be used again', async () => {
  const [ann = '', bob = '', cat = ''] = await holders(3, '0.002');
  const withdrawals = [await confirmed(ann, '0.002'), await confirmed(bob, '0.001')];
  const transfer = { currency: 'BTC', amount: '0.002' };
  const to = emailOf(cat);
  const { confirmation } = await world.handlers.walletConfirmation({ action: 'transfer', ...transfer, email: to }, as(ann));
  const sent = { ...transfer, to, otp: await world.code(ann, confirmation) };
  // Both of Ann's are checked before either is posted.
  const outcomes = await Promise.allSettled([
    world.handlers.walletTransfer(sent, as(ann)),
    world.handlers.walletWithdrawRequest(withdrawals[0]!, as(ann)),
    world.handlers.walletWithdrawRequest(withdrawals[1]!, as(bob)),
  ]);
  const refused = outcomes.filter((one) => one.status === 'rejected');
  assert.deepEqual(
    refused.map(({ reason }) => (reason as Problem).code),
    ['not_enough_money'],
  );
  assert.equal(outcomes[2]?.status, 'fulfilled');
  const left = await world.desk.db.rows('select from one_time_code where subject like $1', [`${ann}%`]);
  assert.equal(left.length, 1);
  assert.equal(await world.available(ann), 0n);
  await world.isRight();
});

test('a withdrawal without approval counts towards the limits of later ones in its group', async () => {
  const people = await holders(3, '0.01');
  // 1 000 USD of the desk's day are left.
  await world.desk.db.run(
    `insert into moneyout_counted (payout_id, kind, customer, usd, currency, parts, at)
     select $1, 'withdrawal', 'another', 900000 - sum(usd), 'BTC', 1, clock_now() from moneyout_counted`,
    [newId()],
  );
  const inputs = await Promise.all(people.map((id) => confirmed(id, '0.004')));
  const outcomes = await maxAtOnce(people.map((id, at) => [id, inputs[at]!]));
  assert.deepEqual(outcomes.toSorted(), ['approving', 'queued', 'queued']);
  assert.ok((await transactionsOf(people)) < 3);
  await world.desk.db.run(`delete from moneyout_counted where customer = 'another'`);
});

test('if the process dies between commit and response, each repeated call gets its own response', async () => {
  const people = await holders(2, '0.01');
  const inputs = [await confirmed(people[0]!, '0.001'), await confirmed(people[1]!, '0.002')];
  const call = (at: number) => ({ scope: `user ${people[at]}`, key: 'the key of both', request: inputs[at] });
  // This process never returns its responses.
  const ended = openIdempotency(world.desk.db, testSealer);
  const done = inputs.map(
    (input, at) =>
      new Promise<string>((resolve) => {
        void ended(call(at), async (_repeated, stored) => {
          const storedAnswer = (given: unknown) => stored(JSON.stringify(given));
          resolve(JSON.stringify(await world.handlers.walletWithdrawRequest(input, as(people[at]!, { storedAnswer }))));
          return new Promise(() => {});
        });
      }),
  );
  const reported = await Promise.all(done);
  const again = openIdempotency(world.desk.db, testSealer);
  const repeated = inputs.map((_, at) => again(call(at), () => Promise.reject(new Error('it was asked for already'))));
  assert.deepEqual(await Promise.all(repeated), reported);
  assert.match(reported[0] ?? '', /"amount":"0.00100000"/);
  assert.match(reported[1] ?? '', /"amount":"0.00200000"/);
  await world.isRight();
});
