// The operations list: every entry once, filtered and in pages; past balances; nothing of other holders.

import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { type Problem, routes } from '@kurs/contract';
import { writeHolderMacs } from '../../auth/testing.ts';
import { type Journal, type JournalKind, accounts, leg } from '../../ledger/index.ts';
import { postAny } from '../../ledger/testing.ts';
import { type Context, csvOf, newId } from '../../platform/index.ts';
import { type TestDb, testDb, testSealer } from '../../platform/testing.ts';
import type { CauseSource } from './causes.ts';
import type { OperationFilter } from './operation.ts';
import { operationRows } from '../views/operation-export.ts';
import { walletRoutes } from '../routes.ts';

let world: TestDb;
let ann: string;
let bob: string;
/** Details that another room would return: an order and a withdrawal, by their causes. */
const known = new Map<string, { order?: string; status?: 'paying'; txid?: string; refunds?: string }>();
const source: CauseSource = async (_db, _holder, causes) =>
  new Map(causes.flatMap((cause) => (known.has(cause) ? [[cause, known.get(cause) ?? {}]] : [])));
let handlers: ReturnType<typeof walletRoutes>;

before(async () => {
  world = await testDb();
  handlers = walletRoutes({ db: world.db, sealer: testSealer }, [source]);
});
after(() => world.drop());
beforeEach(async () => {
  [ann, bob] = [await holder(), await holder()];
});

async function holder(): Promise<string> {
  const id = newId();
  await world.db.run(
    `insert into account_holder (id, email, email_key, locale, created_at) values ($1, $2, $2, 'en', clock_now())`,
    [id, `${id}@example.org`],
  );
  await writeHolderMacs(world.db);
  for (const unit of ['BTC', 'USDT'])
    await world.db.run('insert into wallet (holder_id, unit, opened_at) values ($1, $2, clock_now())', [id, unit]);
  return id;
}
const as = (id: string): Context => ({ user: { id, email: `${id}@example.org`, sessionId: newId() } }) as Context;
const bank = (unit: string) => accounts.custody(unit === 'BTC' ? 'BTC' : 'USDT_ERC20', 'hot', unit);
const page = { page: 1, per_page: 20 };

/** Posts a movement of a wallet and returns the operation's id. */
async function moved(kind: JournalKind, id: string, unit: string, parts: bigint, cause = newId()): Promise<string> {
  const wallet = accounts.wallet(id, unit);
  const journal: Journal = {
    id: newId(),
    kind,
    cause,
    legs: [parts > 0n ? leg(bank(unit), wallet, parts) : leg(wallet, bank(unit), -parts)],
  };
  const [done] = await world.db.tx((tx) => postAny(tx, [journal]));
  assert.equal(done?.status, 'posted');
  // The next posting needs a time of its own, since two wallets' entries at one time have no order.
  await pause(2);
  return `${journal.id}.0`;
}

test('every movement is one signed row, with its kind, its cause and the balance after it', async () => {
  const order = newId();
  const withdrawal = newId();
  known.set(order, { order: 'KX-7F3Q-2M8C', status: 'paying' });
  known.set(withdrawal, { status: 'paying', txid: 'ab12' });
  await moved('deposit', ann, 'USDT', 1_000_000_000n);
  await moved('payin', ann, 'USDT', -350_000_000n, order);
  await moved('sent', ann, 'BTC', 12_000n, order);
  await moved('withdrawal_asked', ann, 'USDT', -200_000_000n, withdrawal);
  await moved('reward_paid', ann, 'USDT', 14_620_000n);
  const { data, meta } = await handlers.userTransactions(page, as(ann));
  assert.deepEqual(routes.userTransactions.output.parse(data), data);
  assert.deepEqual(
    data.map(({ kind, status, amount, balance, currency, order: number }) => [kind, status, amount, balance, currency, number]),
    [
      ['reward', 'done', '14.620000', '464.620000', 'USDT', undefined],
      ['withdrawal', 'paying', '-200.000000', '450.000000', 'USDT', undefined],
      ['exchange', 'done', '0.00012000', '0.00012000', 'BTC', 'KX-7F3Q-2M8C'],
      ['exchange', 'paying', '-350.000000', '650.000000', 'USDT', 'KX-7F3Q-2M8C'],
      ['deposit', 'done', '1000.000000', '1000.000000', 'USDT', undefined],
    ],
  );
  assert.deepEqual(meta, { current_page: 1, per_page: 20, last_page: 1, total: 5 });
  const one = await handlers.userTransaction({ id: data[1]?.id ?? '' }, as(ann));
  assert.deepEqual(routes.userTransaction.output.parse(one), one);
  const wallet = await handlers.walletTransactions({ currency: 'USDT', limit: 2 }, as(ann));
  assert.deepEqual(
    wallet.map(({ change }) => change),
    ['14.620000', '-200.000000'],
  );
  assert.deepEqual([one.txid, one.steps.map(({ what }) => what)], ['ab12', ['withdrawal_asked']]);
});

test('money that an order sends to the wallet that paid it is a refund; its payout is not', async () => {
  const order = newId();
  known.set(order, { order: 'KX-7F3Q-2M8D', refunds: 'USDT' });
  await moved('deposit', ann, 'USDT', 1_000n);
  await moved('payin', ann, 'USDT', -900n, order);
  await moved('sent', ann, 'USDT', 900n, order);
  await moved('sent', ann, 'BTC', 5n, order);
  const { data } = await handlers.userTransactions(page, as(ann));
  assert.deepEqual(
    data.map(({ currency, entry }) => `${currency} ${entry}`),
    ['BTC sent', 'USDT refund', 'USDT payin', 'USDT deposit'],
  );
});

test('only the two holders of a transfer can read its note', async () => {
  const [cause, cat] = [newId(), await holder()];
  await world.db.run(
    `insert into wallet_transfer (id, from_holder, to_holder, unit, parts, note, at) values ($1, $2, $3, 'USDT', 5, 'Rent', clock_now())`,
    [cause, ann, bob],
  );
  await moved('deposit', ann, 'USDT', 10n);
  const sides = [leg(accounts.wallet(ann, 'USDT'), accounts.wallet(bob, 'USDT'), 5n)];
  await world.db.tx((tx) => postAny(tx, [{ id: newId(), kind: 'transfer', cause, legs: sides }]));
  // An entry of another holder with the same cause gets no details.
  await moved('transfer', cat, 'USDT', 5n, cause);
  const newest = async (id: string) => (await handlers.userTransactions(page, as(id))).data[0];
  for (const [id, amount, note] of [
    [ann, '-0.000005', 'Rent'],
    [bob, '0.000005', 'Rent'],
    [cat, '0.000005', undefined],
  ] as const) {
    const one = await newest(id);
    assert.deepEqual([one?.kind, one?.amount, one?.note], ['transfer', amount, note]);
  }
});

test('an incoming payment is a row before it is in the books, and an operation of its own', async () => {
  const [payin, address] = [newId(), newId()];
  await world.db.run(
    `insert into wallet_receiving_address (id, holder_id, currency, pay_to, opened_at) values ($1, $2, 'BTC', 'bcrt1qplace', clock_now())`,
    [address, ann],
  );
  await world.db.run(
    `insert into wallet_deposit (payin_id, receiving_address_id, holder_id, currency, unit, parts, txid, status, confirmations, needed, seen_at)
     values ($1, $2, $3, 'BTC', 'BTC', 250000, 'feed01', 'seen', 1, 3, clock_now())`,
    [payin, address, ann],
  );
  const { data } = await handlers.userTransactions({ ...page, q: 'FEED' }, as(ann));
  assert.deepEqual(
    data.map(({ id, status, amount, balance, address }) => [id, status, amount, balance, address]),
    [[payin, 'confirming', '0.00250000', null, 'bcrt1qplace']],
  );
  assert.equal((await handlers.userTransaction({ id: payin }, as(ann))).steps[0]?.what, 'seen');
  await assert.rejects(handlers.userTransaction({ id: payin }, as(bob)), (error: Problem) => error.code === 'not_found');
  assert.deepEqual((await handlers.userTransactions(page, as(bob))).data, []);
});

test('nobody sees another’s operations, figures, balances or statement', async () => {
  const id = await moved('deposit', ann, 'USDT', 1_000_000n);
  assert.equal((await handlers.userTransaction({ id }, as(ann))).amount, '1.000000');
  await assert.rejects(handlers.userTransaction({ id }, as(bob)), (error: Problem) => error.code === 'not_found');
  assert.deepEqual((await handlers.userTransactions(page, as(bob))).data, []);
  assert.equal((await handlers.userTransactionFigures({}, as(bob))).counts?.deposit, 0);
  assert.equal((await handlers.walletBalance({ currency: 'USDT' }, as(bob))).total, '0.000000');
  assert.deepEqual(await handlers.walletTransactions({ currency: 'USDT', limit: 20 }, as(bob)), []);
  for (const work of [handlers.userTransactions, handlers.userTransactionFigures] as const)
    await assert.rejects(
      async () => work(page, {} as Context),
      (error: Problem) => error.code === 'unauthorised',
    );
});

test('operations are found by kind, status, wallet, sum, text and day, in pages', async () => {
  const deposits = [await moved('deposit', ann, 'USDT', 100_000_000n), await moved('deposit', ann, 'BTC', 1_000n)];
  const out = await moved('transfer', ann, 'USDT', -40_500_000n);
  const list = async (filter: Partial<Parameters<typeof handlers.userTransactions>[0]>) =>
    (await handlers.userTransactions({ ...page, ...filter }, as(ann))).data.map(({ id }) => id);
  assert.deepEqual(await list({}), [out, deposits[1], deposits[0]]);
  assert.deepEqual(await list({ kind: ['transfer', 'reward'] }), [out]);
  assert.deepEqual(await list({ status: ['done'], currency: ['BTC'] }), [deposits[1]]);
  assert.deepEqual(await list({ status: ['paying'] }), []);
  assert.deepEqual(await list({ currency: ['ETH'] }), []);
  assert.deepEqual(await list({ min: '40.5', max: '40.50' }), [out]);
  assert.deepEqual(await list({ q: out.slice(0, 36).toUpperCase() }), [out]);
  assert.deepEqual(await list({ page: 2, per_page: 2 }), [deposits[0]]);
  const today = (await world.db.now()).toISOString().slice(0, 10);
  assert.deepEqual(await list({ from: today, to: today }), [out, deposits[1], deposits[0]]);
  const [earlier, later] = ['2020-01-01', '2100-01-01'];
  assert.deepEqual(await list({ to: earlier }), []);
  assert.deepEqual(await list({ from: later }), []);
  const reported = await handlers.userTransactionFigures(
    { currency: ['USDT'], from: today, to: later, kind: ['deposit'] },
    as(ann),
  );
  assert.deepEqual(
    [reported.counts?.deposit, reported.counts?.transfer, reported.opening, reported.closing],
    [1, 1, '0.000000', '59.500000'],
  );
  assert.deepEqual(routes.userTransactionFigures.output.parse(reported), reported);
  assert.deepEqual((await handlers.userTransactionFigures({ currency: ['USDT'], from: later }, as(ann))).opening, '59.500000');
});

test('the books give a wallet’s balance at any past moment', async () => {
  const before = await world.db.now();
  await moved('deposit', ann, 'USDT', 100_000_000n);
  const [first] = (await handlers.userTransactions(page, as(ann))).data;
  await new Promise((resolve) => setTimeout(resolve, 5));
  await moved('transfer', ann, 'USDT', -40_000_000n);
  const then = async (at?: string) => (await handlers.walletBalance({ currency: 'USDT', ...(at && { at }) }, as(ann))).available;
  assert.equal(await then(new Date(before.getTime() - 60_000).toISOString()), '0.000000');
  assert.equal(await then(first?.at), '100.000000');
  assert.equal(await then(new Date(Date.parse(first?.at ?? '') - 1).toISOString()), '0.000000');
  assert.equal(await then(), '60.000000');
  await assert.rejects(handlers.walletBalance({ currency: 'NOPE' }, as(ann)), (error: Problem) => error.code === 'validation');
});

test('pages and their number are the same above the count of entries that are read one by one', async () => {
  // Two thousand and one entries in one wallet, and one in another.
  const wallet = accounts.wallet(ann, 'USDT');
  const legs = Array.from({ length: 667 }, (_, index) => leg(bank('USDT'), wallet, BigInt(index + 1)));
  for (let journal = 0; journal < 3; journal += 1)
    await world.db.tx((tx) => postAny(tx, [{ id: newId(), kind: 'deposit', cause: newId(), legs }]));
  const ids = await scannedThrough({ kind: ['deposit'] });
  assert.equal(ids.length, 2_001);
  const at = async (number: number) => handlers.userTransactions({ page: number, per_page: 100, currency: ['USDT'] }, as(ann));
  const [first, last] = [await at(1), await at(21)];
  assert.deepEqual(first.meta, { current_page: 1, per_page: 100, last_page: 21, total: 2_001 });
  assert.deepEqual(
    [...first.data, ...last.data].map(({ id }) => id),
    [...ids.slice(0, 100), ids.at(-1)],
  );
  assert.equal((await handlers.userTransactionFigures({ currency: ['USDT'] }, as(ann))).counts, null);
  await moved('deposit', ann, 'BTC', 1_000n);
  const merged = await handlers.userTransactions({ page: 2, per_page: 100 }, as(ann));
  assert.deepEqual(
    merged.data.map(({ id }) => id),
    ids.slice(99, 199),
  );
  assert.equal(merged.meta.total, 2_002);
});

test('one wallet is read to its end, however long; for several, the response says if more exist', async () => {
  const wallet = accounts.wallet(ann, 'USDT');
  const legs = Array.from({ length: 667 }, () => leg(bank('USDT'), wallet, 1n));
  for (let journal = 0; journal < 16; journal += 1)
    await world.db.tx((tx) => postAny(tx, [{ id: newId(), kind: 'deposit', cause: newId(), legs }]));
  const last = await handlers.userTransactions({ page: 107, per_page: 100, currency: ['USDT'] }, as(ann));
  assert.deepEqual([last.data.length, last.meta], [72, { current_page: 107, per_page: 100, last_page: 107, total: 10_672 }]);
  await moved('deposit', ann, 'BTC', 1_000n);
  const { data, meta } = await handlers.userTransactions({ page: 100, per_page: 100 }, as(ann));
  assert.deepEqual(
    [data.length, meta],
    [100, { current_page: 100, per_page: 100, last_page: 100, total: 10_000, is_more: true }],
  );
});

/** Returns the ids of all operations that a filter finds, read page by page to the end. */
async function scannedThrough(filter: OperationFilter, max = 100): Promise<string[]> {
  const ids: string[] = [];
  let before: string | null | undefined;
  do {
    const { data, meta } = await handlers.userTransactions(
      { page: 1, per_page: max, ...filter, ...(before && { before }) },
      as(ann),
    );
    assert.ok(data.length <= max && meta.total === data.length);
    ids.push(...data.map(({ id }) => id));
    before = (meta as { searched?: { next: string | null } }).searched?.next;
  } while (before);
  return ids;
}

test('a long statement is searched piece by piece: each match once, and the response says how far it got', async () => {
  const wallet = accounts.wallet(ann, 'USDT');
  const few = [await moved('transfer', ann, 'BTC', 70_000n), await moved('deposit', ann, 'USDT', 5_000_000n)];
  const address = newId();
  await world.db.run(
    `insert into wallet_receiving_address (id, holder_id, currency, pay_to, opened_at) values ($1, $2, 'BTC', 'tb1', clock_now())`,
    [address, ann],
  );
  const seen = async (): Promise<string> => {
    const id = newId();
    await world.db.run(
      `insert into wallet_deposit (payin_id, receiving_address_id, holder_id, currency, unit, parts, txid, status, confirmations, needed, seen_at)
       values ($1, $2, $3, 'BTC', 'BTC', 250000, 'feed', 'seen', 0, 3, date_trunc('milliseconds', clock_now()))`,
      [id, address, ann],
    );
    return id;
  };
  const legs = Array.from({ length: 700 }, () => leg(bank('USDT'), wallet, 1n));
  for (let journal = 0; journal < 3; journal += 1) {
    few.push(await seen());
    await world.db.tx((tx) => postAny(tx, [{ id: newId(), kind: 'reward_paid', cause: newId(), legs }]));
    few.push(await moved('transfer', ann, 'USDT', -5_000_000n + BigInt(journal)));
    await moved('reward_paid', ann, 'USDT', 5_000_000n);
  }
  few.push(await seen());
  const wanted: OperationFilter = { kind: ['deposit', 'transfer'] };
  const newest = few.toReversed();
  assert.deepEqual(await scannedThrough(wanted), newest);
  assert.deepEqual(await scannedThrough(wanted, 1), newest, 'one at a time');
  assert.deepEqual(
    await scannedThrough({ min: '4.999999', status: ['done'], kind: ['transfer'] }),
    newest.filter((_, at) => [3, 5].includes(at)),
  );
  assert.deepEqual(await scannedThrough({ q: newest[5]?.slice(0, 36) ?? '' }), [newest[5]]);
  const { data, meta } = await handlers.userTransactions({ ...page, q: 'nothing' }, as(ann));
  const { searched: polled } = meta as { searched?: { to: string; next: string } };
  assert.ok(data.length === 0 && polled && polled.to < (await world.db.now()).toISOString());
  assert.ok(routes.userTransactions.input.safeParse({ before: polled.next }).success, polled.next);
  // Another holder's cursor returns nothing of that holder.
  assert.deepEqual((await handlers.userTransactions({ ...page, ...wanted, before: polled.next }, as(bob))).data, []);
});

test('an export is a statement of each wallet: oldest first, between opening and closing balance', async () => {
  const [order, address] = [newId(), newId()];
  known.set(order, { order: 'KX-7F3Q-2M8C', txid: '=cmd|calc' });
  await moved('deposit', ann, 'USDT', 100_000_000n);
  await moved('payin', ann, 'USDT', -40_500_000n, order);
  await moved('deposit', ann, 'BTC', 1_000n);
  await world.db.run(
    `insert into wallet_receiving_address (id, holder_id, currency, pay_to, opened_at) values ($1, $2, 'BTC', '@place', clock_now())`,
    [address, ann],
  );
  await world.db.run(
    `insert into wallet_deposit (payin_id, receiving_address_id, holder_id, currency, unit, parts, txid, status, confirmations, needed, seen_at)
     values ($1, $2, $3, 'BTC', 'BTC', 250000, 'feed', 'seen', 0, 3, clock_now())`,
    [newId(), address, ann],
  );
  const file = async (id: string, filter: OperationFilter = {}): Promise<string[][]> => {
    let text = '';
    for await (const lines of csvOf(operationRows({ db: world.db, sources: [source] }, id, filter))) text += lines;
    return text
      .replace('\ufeff', '')
      .trimEnd()
      .split('\r\n')
      .map((line) => line.split(','));
  };
  const [head = [], ...rows] = await file(ann);
  const at = (name: string) => head.indexOf(name);
  const columns = [at('kind'), at('wallet'), at('amount'), at('available_after')];
  assert.deepEqual(
    rows.map((row) => columns.map((column) => row[column])),
    [
      ['opening_balance', 'BTC', '', '0.00000000'],
      ['deposit', 'BTC', '0.00001000', '0.00001000'],
      ['closing_balance', 'BTC', '', '0.00001000'],
      ['opening_balance', 'USDT', '', '0.000000'],
      ['deposit', 'USDT', '100.000000', '100.000000'],
      ['exchange', 'USDT', '-40.500000', '59.500000'],
      ['closing_balance', 'USDT', '', '59.500000'],
      ['deposit', 'BTC', '0.00250000', ''],
    ],
  );
  // A text that a spreadsheet would run as a formula is escaped.
  assert.equal(rows[5]?.[at('txid')], "'=cmd|calc");
  assert.equal(rows[7]?.[at('address')], "'@place");
  assert.deepEqual(
    (await file(ann, { kind: ['exchange'] })).slice(1).map((row) => row[at('kind')]),
    ['exchange'],
  );
  const later = (await file(ann, { currency: ['USDT'], from: '2100-01-01' })).slice(1);
  assert.deepEqual(
    later.map((row) => row[at('available_after')]),
    ['59.500000', '59.500000'],
  );
  assert.deepEqual(
    (await file(bob)).slice(1).map((row) => row[at('available_after')]),
    ['0.00000000', '0.00000000', '0.000000', '0.000000'],
  );
});
