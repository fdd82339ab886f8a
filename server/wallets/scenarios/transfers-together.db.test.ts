// Concurrent transfers: done in one transaction, each whole or refused separately; a repeated call gets its own response.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Problem } from '@kurs/contract';
import { parse } from '@kurs/money';
import { writeHolderMacs, keepOpeners } from '../../auth/testing.ts';
import { type Db, configureLog, openDb, openSealer } from '../../platform/index.ts';
import { openIdempotency, testSealer } from '../../platform/testing.ts';
import { moneyOutOfWallets } from '../money-out-routes.ts';
import { type WalletWorld, as, emailOf, walletWorld } from './world.testing.ts';

let world: WalletWorld;
/** Another process of the api. */
let other: { readonly db: Db; readonly handlers: ReturnType<typeof moneyOutOfWallets> };
before(async () => {
  world = await walletWorld();
  const db = openDb({ url: world.desk.db.url, name: 'other' });
  const sealer = openSealer(new Map([[1, Buffer.alloc(32, 9)]]), 'second factors');
  other = { db, handlers: moneyOutOfWallets({ db, sealer, voucher: testSealer, name: 'Kurs' }) };
});
after(async () => {
  await other.db.close();
  await world.close();
});

interface Ask {
  readonly from: string;
  readonly to: string;
  readonly btc: string;
}

/** Returns a transfer's input, with the code for it. */
async function confirmed({ from, to, btc }: Ask) {
  const request = { currency: 'BTC', amount: btc };
  const about = await world.handlers.walletConfirmation({ action: 'transfer', ...request, email: emailOf(to) }, as(from));
  return { ...request, to: emailOf(to), otp: await world.code(from, about.confirmation) };
}

/** Makes all transfers at the same moment. Returns for each "done" or the code of its problem. */
async function maxAtOnce(
  asks: readonly Ask[],
  handlers = world.handlers as Pick<WalletWorld['handlers'], 'walletTransfer'>,
): Promise<string[]> {
  const inputs = await Promise.all(asks.map(confirmed));
  const outcomes = await Promise.allSettled(inputs.map((input, at) => handlers.walletTransfer(input, as(asks[at]?.from ?? ''))));
  return outcomes.map((one) => (one.status === 'fulfilled' ? 'done' : (one.reason as Problem).code));
}

/** Returns the number of transactions in which the transfers of these senders were written. */
async function transactionsOf(senders: readonly string[]): Promise<number> {
  const rows = await world.desk.db.rows('select distinct xmin::text from wallet_transfer where from_holder = any ($1::uuid[])', [
    senders,
  ]);
  return rows.length;
}

const holders = (count: number, btc: string, level?: number): Promise<string[]> =>
  Promise.all(Array.from({ length: count }, () => world.holder(btc, level)));
const sats = (btc: string): bigint => parse('BTC', btc).parts;

test('concurrent transfers share a transaction, and a refused one doesn’t affect the others', async () => {
  const [ann = '', bob = '', cat = '', dan = '', eve = ''] = await holders(5, '0.002');
  await world.desk.db.run(
    'update account_holder set frozen_until = clock_now() + $2::interval, frozen_because = $3 where id = $1',
    [...[cat, '1 day', 'password_reset']],
  );
  await writeHolderMacs(world.desk.db);
  const nobody = 'nobody';
  const outcomes = await maxAtOnce([
    { from: ann, to: bob, btc: '0.001' },
    { from: bob, to: ann, btc: '0.0005' },
    { from: cat, to: ann, btc: '0.001' },
    { from: dan, to: nobody, btc: '0.001' },
    { from: eve, to: ann, btc: '0.001' },
  ]);
  assert.deepEqual(outcomes, ['done', 'done', 'withdrawals_frozen', 'no_such_holder', 'done']);
  assert.equal(await transactionsOf([ann, bob, eve]), 1);
  const there = await Promise.all([ann, bob, cat, dan, eve].map((id) => world.available(id)));
  assert.deepEqual(there, [sats('0.0025'), sats('0.0025'), sats('0.002'), sats('0.002'), sats('0.001')]);
  // A transfer refused before its step-up uses up no code. One to an unknown address does, but counts towards no limit.
  const left = await world.desk.db.rows<{ subject: string }>('select subject from one_time_code');
  const spent = (holder: string): boolean => !left.some(({ subject }) => subject.startsWith(holder));
  assert.deepEqual([ann, bob, cat, dan, eve].map(spent), [true, true, false, true, true]);
  const used = await world.desk.db.rows<{ key: string }>(`select key from limit_use where key like 'holder:%'`);
  assert.deepEqual(used.map(({ key }) => key.slice(7)).toSorted(), [ann, bob, eve].toSorted());
  await world.isRight();
});

test('a transfer refused by the ledger is refused alone, and its code can be used again', async () => {
  const [ann = '', bob = '', cat = ''] = await holders(3, '0.001');
  // Both are checked before either is posted.
  const input = await confirmed({ from: ann, to: bob, btc: '0.001' });
  const same = await confirmed({ from: ann, to: cat, btc: '0.0008' });
  const third = await confirmed({ from: bob, to: cat, btc: '0.0001' });
  const outcomes = await Promise.allSettled([
    world.handlers.walletTransfer(input, as(ann)),
    other.handlers.walletTransfer(same, as(ann)),
    world.handlers.walletTransfer(third, as(bob)),
  ]);
  assert.equal(
    outcomes.filter((one) => one.status === 'rejected' && (one.reason as Problem).code === 'not_enough_money').length,
    1,
  );
  assert.equal(outcomes[2]?.status, 'fulfilled');
  const refused = outcomes[0]?.status === 'rejected' ? input : same;
  const left = await world.desk.db.rows('select from one_time_code where subject like $1', [`${ann}%`]);
  assert.equal(left.length, 1, `the code for ${refused.amount} was not spent`);
  await world.isRight();
});

test('transfers of one group count towards each other’s limits', async () => {
  // Limits: 100 000 USD at once and 250 000 a day, at 100 000 USD a bitcoin. Holders who share a device share its limit.
  const senders = await holders(3, '0.9', 3);
  const [to = ''] = await holders(1, '0');
  const inputs = await Promise.all(senders.map((from) => confirmed({ from, to, btc: '0.9' })));
  const outcomes = await Promise.allSettled(
    inputs.map((input, at) => world.handlers.walletTransfer(input, as(senders[at] ?? '', { deviceKey: 'one device' }))),
  );
  assert.deepEqual(
    outcomes.map((one) => (one.status === 'fulfilled' ? 'done' : (one.reason as Problem).code)),
    ['done', 'done', 'validation'],
  );
});

test('two processes that move money between the same holders in both directions never deadlock', async () => {
  const people = await holders(4, '0.01');
  const ring = people.map((from, at): Ask => ({ from, to: people[(at + 1) % people.length] ?? '', btc: '0.0001' }));
  const back = people.map((from, at): Ask => ({
    from,
    to: people[(at + people.length - 1) % people.length] ?? '',
    btc: '0.0002',
  }));
  const circles = heardOfCircles();
  for (let round = 0; round < 5; round += 1) {
    const outcomes = await Promise.all([maxAtOnce(ring), maxAtOnce(back.toReversed(), other.handlers)]);
    assert.deepEqual(new Set(outcomes.flat()), new Set(['done']));
  }
  assert.deepEqual(circles, []);
  const there = await Promise.all(people.map((id) => world.available(id)));
  assert.deepEqual(
    there,
    people.map(() => sats('0.01')),
  );
  await world.isRight();
});

test('two processes that have locked their own holders don’t wait for each other', async () => {
  const [ann = '', bob = ''] = await holders(2, '0.01');
  const { db } = world.desk;
  await db.run(
    `insert into session (id, holder_id, token_hash, device, ip, created_at, seen_at)
     select id, id, id::text::bytea, 'a device', '203.0.113.7', clock_now(), clock_now() from unnest($1::uuid[]) as id`,
    [[ann, bob]],
  );
  await keepOpeners(db);
  const circles = heardOfCircles();
  const requests: Promise<string[]>[] = [];
  await db.tx(async (tx) => {
    // Both wait where their sessions are updated, having locked their own holders and not the other's.
    await tx.rows('select from session where holder_id = any ($1::uuid[]) for update', [[ann, bob]]);
    requests.push(
      maxAtOnce([{ from: ann, to: bob, btc: '0.001' }]),
      maxAtOnce([{ from: bob, to: ann, btc: '0.001' }], other.handlers),
    );
    while ((await db.rows(WAITING)).length < 2) await sleep(5);
  });
  assert.deepEqual((await Promise.all(requests)).flat(), ['done', 'done']);
  assert.deepEqual(circles, []);
});

/** Collects log lines about deadlocks from now on. */
function heardOfCircles(): string[] {
  const heard: string[] = [];
  configureLog({ level: 'warn', sink: (line) => void (line.includes('40P01') && heard.push(line)) });
  return heard;
}

const WAITING = `select distinct pid from pg_locks join pg_stat_activity using (pid)
  where not granted and datname = current_database()`;

test('if the process dies between commit and response, each repeated call gets its own response', async () => {
  const [ann = '', bob = '', cat = ''] = await holders(3, '0.001');
  const asks: Ask[] = [
    { from: ann, to: cat, btc: '0.0001' },
    { from: bob, to: cat, btc: '0.0002' },
  ];
  const inputs = await Promise.all(asks.map(confirmed));
  const call = (at: number) => ({ scope: `user ${asks[at]?.from}`, key: 'the key of both', request: inputs[at] });
  // This process never returns its responses.
  const ended = openIdempotency(world.desk.db, testSealer);
  const done = await Promise.all(
    inputs.map((input, at) => {
      return new Promise<string>((resolve) => {
        void ended(call(at), async (_repeated, stored) => {
          const storedAnswer = (given: unknown) => stored(JSON.stringify(given));
          resolve(JSON.stringify(await world.handlers.walletTransfer(input, as(asks[at]?.from ?? '', { storedAnswer }))));
          return new Promise(() => {});
        });
      });
    }),
  );
  const again = openIdempotency(other.db, testSealer);
  const repeated = await Promise.all(
    inputs.map((_, at) => again(call(at), () => Promise.reject(new Error('it was done already')))),
  );
  assert.deepEqual(repeated, done);
  assert.match(done[0] ?? '', /"amount":"0.00010000"/);
  assert.match(done[1] ?? '', /"amount":"0.00020000"/);
  assert.equal(await world.available(cat), sats('0.0013'));
});

test('if the process dies after a withdrawal was requested, the repeated call returns it, and it exists once', async () => {
  const ann = await world.holder('0.01');
  const request = { currency: 'BTC', rail: 'bitcoin', amount: '0.002', to: world.address() };
  const { confirmation } = await world.handlers.walletWithdrawQuote(request, as(ann));
  const input = { ...request, otp: await world.code(ann, confirmation) };
  const call = { scope: `user ${ann}`, key: 'a withdrawal', request: input };
  const done = await new Promise<string>((resolve) => {
    void openIdempotency(world.desk.db, testSealer)(call, async (_repeated, stored) => {
      const storedAnswer = (given: unknown) => stored(JSON.stringify(given));
      resolve(JSON.stringify(await world.handlers.walletWithdrawRequest(input, as(ann, { storedAnswer }))));
      return new Promise(() => {});
    });
  });
  const repeated = openIdempotency(other.db, testSealer)(call, () => Promise.reject(new Error('it was asked for already')));
  assert.equal(await repeated, done);
});

test('no response is stored for a refused transfer, and the call may be repeated', async () => {
  const [ann = '', bob = ''] = await holders(2, '0.001');
  const input = await confirmed({ from: ann, to: bob, btc: '0.0005' });
  const once = openIdempotency(world.desk.db, testSealer);
  const call = { scope: `user ${ann}`, key: 'one key', request: input };
  const ask = (amount: typeof input) =>
    once(call, async (_repeated, stored) =>
      JSON.stringify(
        await world.handlers.walletTransfer(amount, as(ann, { storedAnswer: (given) => stored(JSON.stringify(given)) })),
      ),
    );
  await assert.rejects(ask({ ...input, otp: input.otp === '000000' ? '000001' : '000000' }), (error) => {
    return error instanceof Problem && error.code === 'code_wrong';
  });
  const first = await ask(input);
  assert.equal(await ask(input), first);
  assert.equal(await world.available(bob), sats('0.0015'));
});
