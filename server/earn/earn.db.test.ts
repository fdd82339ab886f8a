// Prizes and tasks on the real books: prizes of draws, their limits, their uses, and the findings of the proof.

import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Problem } from '@kurs/contract';
import { checkDraw } from '@kurs/contract/draw';
import { accounts, balance, post } from '../ledger/index.ts';
import { type AccountHolder, type Db, type Tx, advanceClock, configureLog, newId } from '../platform/index.ts';
import { potAccount } from '../pots/index.ts';
import { type BeginRequest, openBeginning } from './begin.ts';
import { openClaiming } from './claim.ts';
import { DAY_MS, HOUR_MS, type Draw, partsOf, prizeOf } from './draw.ts';
import { type EarnWorld, openEarnWorld } from './earn.testing.ts';
import { giveUpPrizes, toCredit, toWallet } from './out.ts';
import { tendPrizes, wasEmptyAtNoons } from './refill.ts';
import { payTask, tasksOf } from './tasks.ts';
import { madeView, ownView, rulesView } from './views.ts';

const POT = potAccount('earn');
let world: EarnWorld;
let [db, owner] = [] as unknown as [Db, Db];
let begin: ReturnType<typeof openBeginning>;
let claim: ReturnType<typeof openClaiming>;

before(async () => {
  world = await openEarnWorld();
  ({ db, owner } = world);
  [begin, claim] = [openBeginning(db), openClaiming(db)];
});
after(() => world.close());
/** Each test has a day of its own, from 00:10 on, and a pot of 500. */
beforeEach(async () => {
  const now = (await db.now()).getTime();
  await advanceClock(db, 2 * DAY_MS - (now % DAY_MS) + 10 * 60_000);
  await tendPrizes(db);
  await holdInPot('500');
});

const put = (key: string, value: unknown): Promise<void> => world.put(key, value);
const holdInPot = (usd: string): Promise<void> => world.holdInPot(usd);
const holderOf = (level?: 2): Promise<AccountHolder> => world.holder(level);
const order: EarnWorld['order'] = (...of) => world.order(...of);
const proven = async (): Promise<void> => assert.deepEqual(await world.faults(), []);
const free = async (): Promise<void> => undefined;
const requested = (holderId = newId(), from: Partial<BeginRequest> = {}): BeginRequest => ({ holderId, spend: free, ...from });
const codes = async (tasks: readonly Promise<unknown>[]): Promise<Record<string, number>> => {
  const counted: Record<string, number> = {};
  for (const one of await Promise.allSettled(tasks)) {
    const code = one.status === 'fulfilled' ? 'done' : ((one.reason as Problem).code ?? String(one.reason));
    counted[code] = (counted[code] ?? 0) + 1;
  }
  return counted;
};
const refuses = (work: Promise<unknown>, code: string): Promise<void> =>
  assert.rejects(work, (error: Problem) => error.code === code || assert.fail(error));
const take = async (holderId = newId(), from: Partial<BeginRequest> = {}) => {
  const draw = await begin(requested(holderId, from));
  return claim({ holderId, id: draw.id, clientSeed: 'mine' });
};
test('a draw: its commit first, a text of one’s own, and a prize that anyone can check', async () => {
  const holderId = newId();
  const draw = await begin(requested(holderId));
  const made = await claim({ holderId, id: draw.id, clientSeed: 'my own words' });
  const { client_seed: clientSeed, ...view } = madeView(made);
  assert.ok((await checkDraw({ ...view, clientSeed })).isRight, JSON.stringify(view));
  assert.equal(made.prize, prizeOf(draw, 'my own words'));
  assert.equal(await balance(db, accounts.earn(holderId, 'USDT')), made.prize);
  assert.deepEqual(
    madeView(await claim({ holderId, id: draw.id, clientSeed: 'my own words' })),
    madeView(made),
    'the same again',
  );
  assert.equal(await balance(db, accounts.earn(holderId, 'USDT')), made.prize, 'paid once');
  await refuses(claim({ holderId, id: draw.id, clientSeed: 'better words' }), 'claim_over');
  await refuses(claim({ holderId: newId(), id: draw.id, clientSeed: 'my own words' }), 'not_found');
  await proven();
});

test('begun is used: one in an hour, one open, and one that is not claimed in time is published without its holder', async () => {
  const holderId = newId();
  const draw = await begin(requested(holderId));
  await assert.rejects(
    begin(requested(holderId)),
    ({ code, details }: Problem) => code === 'earn_wait' && (details.retryAfter ?? 0) > 2_900,
  );
  await advanceClock(db, 11 * 60_000);
  await refuses(claim({ holderId, id: draw.id, clientSeed: 'late' }), 'claim_over');
  await tendPrizes(db);
  const { abandoned } = await rulesView(db);
  assert.deepEqual(abandoned[0], { ...abandoned[0], id: draw.id, seed: draw.seed.toString('hex') });
  assert.ok(!JSON.stringify(abandoned).includes(holderId));
  await advanceClock(db, HOUR_MS);
  await refuses(begin(requested(holderId)), 'earn_cap');
  await advanceClock(db, DAY_MS);
  await begin(requested(holderId));
  await proven();
});

test('two claims of one draw at once with two texts: one has it', async () => {
  const holderId = newId();
  const { id } = await begin(requested(holderId));
  assert.deepEqual(await codes(['one', 'two'].map((clientSeed) => claim({ holderId, id, clientSeed }))), {
    done: 1,
    claim_over: 1,
  });
});

test('1 000 holders at once on a pot of 11 USD: 20 are let in and all of them claim', async () => {
  await holdInPot('11');
  const begun: Draw[] = [];
  const tasks = Array.from({ length: 1_000 }, async () => void begun.push(await begin(requested())));
  assert.deepEqual(await codes(tasks), { done: 20, earn_pot_empty: 980 });
  const claims = begun.map(({ holderId, id }) => claim({ holderId, id, clientSeed: 'all at once' }));
  assert.deepEqual(await codes(claims), { done: 20 });
});

test('100 accounts that claim each hour win at most 50 USD a day, and take none of it to a wallet', async () => {
  const holders = Array.from({ length: 100 }, (_, n): AccountHolder => ({
    id: newId(),
    email: `farm${n}@example.org`,
    isEmailVerified: true,
  }));
  let won = 0n;
  // Their table has the greatest allowed mean, so that the day's limit stops them.
  await put('earn.table', [{ prize: '0.03', weight: 1_000_000 }]);
  for (let hour = 0; hour < 24; hour += 1) {
    const draws = await Promise.allSettled(holders.map(({ id }) => take(id)));
    for (const one of draws) won += one.status === 'fulfilled' ? one.value.prize : 0n;
    if (hour < 23) await advanceClock(db, HOUR_MS);
  }
  await put('earn.table', [
    { prize: '0.5', weight: 10_000 },
    { prize: '0.01', weight: 990_000 },
  ]);
  assert.ok(won <= partsOf('50') && won > partsOf('49'), String(won));
  await put('earn.wallet_least_usd', '0.01');
  assert.deepEqual(await codes(holders.slice(0, 5).map((holder) => toWallet(db, holder, '0.03'))), { earn_order_first: 5 });
  await proven();
});

test('100 that abandon their draws close it for the life of one draw at most', async () => {
  const tasks = Array.from({ length: 101 }, () => begin(requested()));
  assert.deepEqual(await codes(tasks), { done: 100, earn_pot_empty: 1 });
  await advanceClock(db, 10 * 60_000);
  await begin(requested());
});

test('a device, and a network, wins 1 USD a day; what is open counts as the greatest prize', async () => {
  for (const from of [{ device: 'device:d' }, { network: 'net:n' }]) {
    assert.deepEqual(await codes(Array.from({ length: 5 }, () => begin(requested(undefined, from)))), { done: 2, earn_cap: 3 });
    await refuses(begin(requested(undefined, from)), 'earn_cap');
  }
  assert.deepEqual(await codes([1, 2].map(() => begin(requested(undefined, { customer: 'ann@gmail.com' })))), {
    done: 1,
    earn_cap: 1,
  });
});

test('closed, or with too little beside what open draws may win, none begins; a used bot check neither', async () => {
  await put('earn.on', false);
  await refuses(begin(requested()), 'earn_closed');
  await put('earn.on', true);
  await holdInPot('1.49');
  await refuses(begin(requested()), 'earn_pot_empty');
  await holdInPot('1.5');
  await begin(requested());
  await holdInPot('500');
  await refuses(
    begin(requested(undefined, { spend: async () => Promise.reject(new Problem('bot_check_failed')) })),
    'bot_check_failed',
  );
});

test('tables that give too much, or not everything, are refused', async () => {
  const rows = (text: string) => text.split(', ').map((row) => ({ prize: row.split(' ')[0], weight: Number(row.split(' ')[1]) }));
  for (const table of ['0.5 999999', '0.030001 1000000', '0.51 1, 0.001 999999', '0 1000000'])
    await refuses(put('earn.table', rows(table)), 'validation');
  await refuses(put('earn.table', []), 'validation');
  await put('earn.table', rows('0.03 1000000'));
});

test('tasks are paid once, once they are done', async () => {
  const holder = await holderOf();
  const states = async () => (await tasksOf(db, holder, await db.now())).map(({ task, state }) => `${task} ${state}`);
  assert.deepEqual(await states(), ['email ready', 'two_factor open', 'first_order open', 'streak open']);
  assert.equal(await payTask(db, holder, 'email'), partsOf('0.02'));
  assert.equal(await payTask(db, holder, 'email'), partsOf('0.02'), 'asked again');
  await refuses(payTask(db, { ...(await holderOf()), isEmailVerified: false }, 'email'), 'earn_task_open');
  const again = { ...(await holderOf()), email: holder.email.replace('@', '+again@') };
  await refuses(payTask(db, again, 'email'), 'earn_task_open');
  await db.run(
    `insert into second_factor (holder_id, secret, made_at, enabled_at) values ($1, '\\x00', clock_now(), clock_now())`,
    [holder.id],
  );
  await refuses(payTask(db, holder, 'two_factor'), 'earn_task_open');
  for (let day = 0; day < 7; day += 1) {
    await refuses(payTask(db, holder, 'streak'), 'earn_task_open');
    await take(holder.id);
    if (day < 6) await advanceClock(db, DAY_MS);
  }
  assert.equal(await payTask(db, holder, 'streak'), partsOf('0.2'));
  await advanceClock(db, DAY_MS);
  assert.equal(await payTask(db, holder, 'two_factor'), partsOf('0.1'));
  await order(holder, 'order.completed');
  await refuses(payTask(db, holder, 'first_order'), 'earn_task_open');
  await advanceClock(db, 7 * DAY_MS);
  assert.equal(await payTask(db, holder, 'first_order'), partsOf('0.5'));
  assert.deepEqual(new Set(await states()), new Set(['email paid', 'two_factor paid', 'first_order paid', 'streak paid']));
  await proven();
});

test('an account whose mailbox nobody has shown is paid for no task, so it uses up none of the address’s owner', async () => {
  const owner = await holderOf();
  const typed = { ...(await holderOf()), email: owner.email.replace('@', '+typed@'), isEmailVerified: false };
  for (const holder of [typed, owner]) await order(holder, 'order.completed', { keys: [`holder:${holder.id}`] });
  await advanceClock(db, 7 * DAY_MS);
  const states = (await tasksOf(db, typed, await db.now())).map(({ task, state }) => `${task} ${state}`);
  assert.deepEqual(states, ['email open', 'two_factor open', 'first_order open', 'streak open']);
  await refuses(payTask(db, typed, 'first_order'), 'earn_task_open');
  assert.equal(await payTask(db, owner, 'first_order'), partsOf('0.5'));
});

test('an order qualifies one holder: not another who shares a key, not below 10 USD, not once it is taken back', async () => {
  const [ann, bob, cat] = [await holderOf(), await holderOf(), await holderOf()];
  await order(ann, 'order.completed', { keys: ['device:shared'] });
  await order(bob, 'order.completed', { keys: ['device:shared', `holder:${bob.id}`] });
  await order(cat, 'order.completed', { worth: '9.99' });
  await advanceClock(db, 7 * DAY_MS);
  await payTask(db, ann, 'first_order');
  await refuses(payTask(db, bob, 'first_order'), 'earn_task_open');
  await refuses(payTask(db, cat, 'first_order'), 'earn_task_open');
  const id = await order(cat, 'order.completed');
  await order(cat, 'order.reversed', { id });
  await advanceClock(db, 7 * DAY_MS);
  await refuses(payTask(db, cat, 'first_order'), 'earn_task_open');
  await order(cat, 'order.restored', { id });
  await payTask(db, cat, 'first_order');
});

test('prizes go into the wallet as far as the desk earned, at level 2 all of them, and as credit at once', async () => {
  await put('earn.wallet_least_usd', '0.25');
  await put('earn.tasks', { email: '1', two_factor: '0.10', first_order: '0.50', streak: '0.20' });
  const [ann, bob] = [await holderOf(), await holderOf(2)];
  for (const holder of [ann, bob]) await payTask(db, holder, 'email');
  await refuses(toWallet(db, ann, '0.24'), 'validation');
  await refuses(toWallet(db, ann, '1.01'), 'not_enough_money');
  await refuses(toWallet(db, ann, '0.25'), 'earn_order_first');
  await order(ann, 'order.completed', { fee: '0.6' });
  await advanceClock(db, 7 * DAY_MS);
  await assert.rejects(
    toWallet(db, ann, '0.7'),
    ({ code, details }: Problem) => code === 'earn_order_first' && details.params?.['sum'] === '0.60',
  );
  assert.deepEqual(await toWallet(db, ann, '0.5'), { moved: partsOf('0.5'), balance: partsOf('0.5') });
  await refuses(toWallet(db, ann, '0.25'), 'earn_order_first');
  assert.equal((await ownView(db, ann)).to_wallet, '0.10');
  assert.equal((await toWallet(db, bob, '1')).balance, 0n, 'level 2');
  assert.equal(await balance(db, accounts.wallet(bob.id, 'USDT')), partsOf('1'));
  assert.equal((await toCredit(db, ann, '0.3')).balance, partsOf('0.2'));
  assert.deepEqual([(await ownView(db, ann)).credit, (await ownView(db, ann)).balance], ['0.30', '0.20']);
  await refuses(toCredit(db, ann, '0.21'), 'not_enough_money');
  await proven();
  const [pot, journal] = [
    await balance(db, POT),
    await db.tx(async (tx) => {
      const given = await giveUpPrizes(tx, ann.id);
      if (given) await post(tx, [{ ...given, prices: { USDT: '1' } }]);
      return given;
    }),
  ];
  assert.ok(journal);
  assert.equal(await balance(db, POT), pot + partsOf('0.2'), 'a closed account’s prizes go back to the pot');
  await proven();
  await put('earn.wallet_least_usd', '5');
});

test('what those get who sent a holder is nothing that the desk keeps: it doesn’t go to the wallet', async () => {
  await put('earn.wallet_least_usd', '0.01');
  await put('earn.tasks', { email: '1', two_factor: '0.10', first_order: '0.50', streak: '0.20' });
  const [sender, second] = [await holderOf(), await holderOf()];
  const sent = { campaign: 'blog', sub: '', since: (await db.now()).toISOString(), hadOrdered: false, shared: null };
  const sentBy = { ...sent, affiliate: sender.id, second: null, friendPercent: '15' };
  // Of a fee of 1 (less a reward of 30 %, of that and 5 %, of the half at the most).
  for (const [by, left] of [
    [sentBy, '0.70'],
    [{ ...sentBy, second: second.id }, '0.65'],
    [{ ...sentBy, second: second.id, friendPercent: '47' }, '0.50'],
  ] as const) {
    const holder = await holderOf();
    await payTask(db, holder, 'email');
    await order(holder, 'order.completed', { fee: '1', sentBy: by });
    await advanceClock(db, 7 * DAY_MS);
    assert.equal((await ownView(db, holder)).to_wallet, left);
    await refuses(toWallet(db, holder, '0.71'), 'earn_order_first');
  }
  await put('earn.wallet_least_usd', '5');
});

test('the pot is filled once an hour by a 24th of the day’s sum, while it holds less than that', async () => {
  await holdInPot('10');
  for (let times = 0; times < 3; times += 1) await tendPrizes(db);
  assert.equal(await balance(db, POT), partsOf('12.083333'));
  await advanceClock(db, HOUR_MS);
  for (let times = 0; times < 3; times += 1) await tendPrizes(db);
  assert.equal(await balance(db, POT), partsOf('14.166666'));
  await holdInPot('50');
  await advanceClock(db, HOUR_MS);
  await tendPrizes(db);
  assert.equal(await balance(db, POT), partsOf('50'));
  await proven();
});

test('nothing left at noon on three days running is told', async () => {
  await put('earn.day_usd', '0.02');
  for (let day = 0; day < 3; day += 1) {
    assert.equal(await wasEmptyAtNoons(db), false, String(day));
    const now = (await db.now()).getTime();
    await advanceClock(db, (((12 * HOUR_MS - (now % DAY_MS)) % DAY_MS) + DAY_MS) % DAY_MS || DAY_MS);
    await tendPrizes(db);
  }
  assert.equal(await wasEmptyAtNoons(db), true);
  await put('earn.day_usd', '50');
});

test('the proof finds a prize that its seed does not give, a holder who has more, and a day that bounds less', async () => {
  const holderId = newId();
  const { id } = await take(holderId);
  const found = async (sql: string): Promise<string[]> => {
    await owner.run(sql, [id]);
    return (await world.faults()).map(({ words }) => words);
  };
  const has = (words: readonly string[], part: string): void =>
    assert.ok(
      words.some((one) => one.includes(part)),
      words.join('\n'),
    );
  has(await found(`update earn_draw set client_seed = 'another', prize = prize + 1 where id = $1`), 'not what its seed gives');
  await owner.run(`update earn_draw set client_seed = 'mine', prize = prize - 1 where id = $1`, [id]);
  has(
    await found(`update earn_holder set won = won + 1 where holder_id = (select holder_id from earn_draw where id = $1)`),
    'not what their draws',
  );
  await owner.run(`update earn_holder set won = won - 1 where holder_id = $1`, [holderId]);
  has(
    await found(`update earn_day set parts = 0 where $1::uuid is not null and day = (clock_now() at time zone 'UTC')::date`),
    'what the day',
  );
  await owner.run(
    `update earn_day set parts = (select coalesce(sum(counts), 0) from earn_draw where (hour at time zone 'UTC')::date = day) where day = (clock_now() at time zone 'UTC')::date`,
  );
  await proven();
});

/** Starts works one after another while `lock` holds their rows, each once the one before waits; then releases all. */
async function queued(lock: (tx: Tx) => Promise<unknown>, ...tasks: readonly (() => Promise<unknown>)[]): Promise<unknown[]> {
  const begun: Promise<unknown>[] = [];
  await db.tx(async (tx) => {
    await lock(tx);
    for (const work of tasks) {
      begun.push(work());
      while ((await db.rows(WAITING)).length < begun.length) await sleep(5);
    }
  });
  return Promise.all(begun);
}
const WAITING = `select distinct pid from pg_locks join pg_stat_activity using (pid)
  where not granted and datname = current_database()`;

test('what a holder asks for at once waits in turn: a task, a claim, and what goes to the wallet', async () => {
  const circles: string[] = [];
  configureLog({ level: 'warn', sink: (line) => void (line.includes('40P01') && circles.push(line)) });
  await put('earn.wallet_least_usd', '0.01');
  // The prize is less than the maximum, so that a claim counts towards its day.
  await put('earn.table', [
    { prize: '0.5', weight: 1 },
    { prize: '0.01', weight: 999_999 },
  ]);
  const ann = await holderOf();
  await payTask(db, ann, 'email');
  await order(ann, 'order.completed');
  await advanceClock(db, 7 * DAY_MS);
  await queued(
    (tx) => tx.run(`select pg_advisory_xact_lock(hashtext('earn.qualify'))`),
    () => payTask(db, ann, 'first_order'),
    () => toWallet(db, ann, '0.01'),
  );
  // Somebody else's draw has expired: the next paid task ends it.
  const bob = await holderOf();
  const { id } = await begin(requested(bob.id));
  const over = await begin(requested());
  await db.run('update earn_draw set ends_at = begun_at where id = $1', [over.id]);
  await queued(
    (tx) => tx.rows('select from earn_day for update'),
    () => payTask(db, bob, 'email'),
    () => claim({ holderId: bob.id, id, clientSeed: 'mine' }),
  );
  await put('earn.wallet_least_usd', '5');
  assert.deepEqual(circles, []);
});
