// The night's proof of the books reads new journals, open rows and a section of the older journals, however long the history is.
// Changes in these are reported that night, older ones when the round reaches them.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { writeHolderMacs } from '../../auth/testing.ts';
import { type Report, accounts, findStrangers, leg, post, sealJournals, verify } from '../../ledger/index.ts';
import { savePayins } from '../../payments/testing.ts';
import { closeBooks, useRails } from '../../payments/index.ts';
import { openMemoryRail } from '../../payments/memory.ts';
import { type Db, advanceClock, macOf, newId, steady } from '../../platform/index.ts';
import { type TestDb, apart, grownPages, pagesOf, testDb } from '../../platform/testing.ts';
import { checksOf } from '../checks.ts';
import { OWNERS } from '../owners.testing.ts';

/** Number of deposits, and of transfers, in a short history and in one ten times as long. */
const FEW = 120;
const MANY = 1_200;
/** Number of deposits posted at once. */
const GROUP = 50;
const ROUND = { seals: 100, journals: 4 * GROUP };
const DAY_MS = 86_400_000;
const U = 'USDT';

let world: TestDb;
const [ann, bob, place] = [newId(), newId(), newId()];
const wallets = [accounts.wallet(ann, U), accounts.wallet(bob, U)] as const;
/** Ids of deposits in the order of their creation, and of transfers. */
const deposits: string[] = [];
const transfers: string[] = [];
/** The last proof without faults. */
let last: Report | undefined;

before(async () => {
  world = await testDb({ budget: 60_000 });
  const { rail } = openMemoryRail({ id: 'evm', currencies: [{ code: 'USDT_ERC20', unit: U }] });
  useRails(new Map([[rail.id, rail]]));
  await past(
    ...[ann, bob].flatMap((id) => [
      `insert into account_holder (id, email, email_key, locale, created_at) values ('${id}', '${id}@example.org', '${id}@example.org', 'en', clock_now())`,
      `insert into wallet (holder_id, unit, opened_at) values ('${id}', 'USDT', clock_now())`,
    ]),
  );
  await writeHolderMacs(world.db);
});
after(() => world.drop());

/** Runs SQL without triggers, as only the database's owner can. */
const past = (...statements: string[]): Promise<void> =>
  world.owner.tx(async (tx) => {
    await tx.run('set local session_replication_role = replica');
    for (const sql of statements) await tx.run(sql);
  });

/** Makes deposits of Ann with fees, and as many transfers between her and Bob, each with its row, journal and seal. */
const live = (count: number): Promise<void> => apart(world.db, world.ownerUrl, (db) => liveOver(db, count));
async function liveOver(db: Db, count: number): Promise<void> {
  for (let at = 0; at < count; at += GROUP) {
    const [paid, sent] = [newIds(Math.min(GROUP, count - at)), newIds(Math.min(GROUP, count - at))];
    await db.tx(async (tx) => {
      await tx.run('set local session_replication_role = replica');
      await savePayins(
        tx,
        'evm',
        paid.map((id, n) => ({ ...ARRIVED, id, key: id, number: deposits.length + n, seenAt: tx.now })),
      );
      await tx.run(
        `insert into wallet_deposit (payin_id, receiving_address_id, holder_id, currency, unit, parts, txid, status, confirmations, needed, seen_at, mac)
         select id, $3, $4, 'USDT_ERC20', 'USDT', 1000, 'feed', 'final', 9, 9, clock_now(), mac from unnest($1::uuid[], $2::uuid[]) as given (id, mac)`,
        [paid, paid.map((id) => macOf('deposit', steady([id, undefined]))), place, ann],
      );
      await tx.run(
        `insert into wallet_transfer (id, from_holder, to_holder, unit, parts, at)
         select id, case n % 2 when 1 then $2::uuid else $3 end, case n % 2 when 1 then $3::uuid else $2 end, 'USDT', 7, clock_now()
         from unnest($1::uuid[]) with ordinality as given (id, n)`,
        [sent, ann, bob],
      );
    });
    const [hot, earned, [from, to]] = [accounts.custody('USDT_ERC20', 'hot', U), accounts.income('fee', U), wallets];
    await db.tx((tx) =>
      post(
        tx,
        paid.map((cause) => ({ id: newId(), kind: 'deposit', cause, legs: [leg(hot, from, 1_000n), leg(from, earned, 1n)] })),
      ),
    );
    await db.tx((tx) =>
      post(
        tx,
        sent.map((cause, n) => ({
          id: newId(),
          kind: 'transfer',
          cause,
          legs: [n % 2 === 0 ? leg(from, to, 7n) : leg(to, from, 7n)],
        })),
      ),
    );
    deposits.push(...paid);
    transfers.push(...sent);
    await sealed(db);
  }
}

const newIds = (count: number): string[] => Array.from({ length: count }, newId);
const ARRIVED: Omit<Parameters<typeof savePayins>[2][number], 'id' | 'key' | 'number' | 'seenAt'> = {
  ...{
    owner: { kind: 'wallet', id: place },
    customer: 'ann',
    currency: 'USDT_ERC20',
    unit: U,
    place: 'hot',
    isForeign: false,
    parts: 1_000n,
  },
  ...{
    txid: 'feed',
    from: [],
    inputs: [],
    source: null,
    fee: 0n,
    taken: 0n,
    status: 'final',
    isBack: false,
    isFeeOk: true,
    usd: 1n,
    height: 1,
  },
  ...{
    block: 'b',
    confirmations: 9,
    isFinalised: true,
    needed: 9,
    isDeep: true,
    isFollowed: false,
    isDecided: false,
    firstConfirmedAt: null,
  },
  ...{ finalAt: null, missingSince: null, seenAfter: null, isMissingReported: false },
};

/** Seals until nothing is left. Other databases of the server may hold the oldest transaction for a moment. */
async function sealed(db: Db): Promise<void> {
  const left = `select from journal_macs where xid >= coalesce((select upto from journal_seal order by number desc limit 1), '0') limit 1`;
  for (let turn = 0; turn < 500 && (await db.row(left)); turn += 1) {
    await sealJournals(db);
    await sleep(5);
  }
}

/** Runs a night's proof. The next one continues from it if it has no faults. */
async function night(db: Db = world.db): Promise<string[]> {
  const report = await verify(db, { checks: checksOf(OWNERS), isWhole: true, since: last, round: ROUND });
  if (report.faults.length === 0) last = report;
  return report.faults.map(({ check, account, words }) => `${check} ${account}: ${words}`);
}

test('a night, sealing, strangers and the close read the same of a history ten times as long', async (t) => {
  const tasks: Readonly<Record<string, (db: Db) => Promise<unknown>>> = {
    'the night’s proof': (db) => night(db),
    sealing: (db) => sealJournals(db),
    strangers: (db) => findStrangers(db),
    'closing the books': (db) => db.tx((tx) => closeBooks(tx, { id: newId() })),
  };
  const measure = async (): Promise<Map<string, Map<string, number>>> => {
    // Everything before is from another day.
    await advanceClock(world.db, DAY_MS);
    await apart(world.db, world.ownerUrl, async (db) => {
      assert.deepEqual(await night(db), []);
      await db.run('vacuum (analyze)');
    });
    const found = new Map<string, Map<string, number>>();
    for (const [name, work] of Object.entries(tasks))
      found.set(name, await pagesOf(world.db, world.url, work, () => live(GROUP)));
    return found;
  };
  await live(FEW);
  const few = await measure();
  await live(MANY - FEW);
  const many = await measure();
  for (const [name, pages] of many) await t.test(name, () => assert.deepEqual(grownPages(few.get(name) ?? new Map(), pages), []));
});

describe('the night reports changes of', () => {
  const journalOf = (cause: string): string => `(select journal from posting where cause = '${cause}' limit 1)`;
  const changes = (deposit: string, transfer: string): [what: string, change: string, back: string, words: RegExp][] => [
    [
      'a price',
      `update posting set price = 2 where cause = '${deposit}'`,
      `update posting set price = null where cause = '${deposit}'`,
      /was altered after it was posted/,
    ],
    [
      'a balance of then',
      `update posting set to_balance = to_balance + 1 where leg = 0 and cause = '${deposit}'`,
      `update posting set to_balance = to_balance - 1 where leg = 0 and cause = '${deposit}'`,
      /not the one before plus its change/,
    ],
    [
      'a row that a journal is about',
      `update wallet_transfer set id = '${ann}' where id = '${transfer}'`,
      `update wallet_transfer set id = '${transfer}' where id = '${ann}'`,
      /which no room that posts such journals knows/,
    ],
    [
      'a sum in a row',
      `update wallet_transfer set parts = 8 where id = '${transfer}'`,
      `update wallet_transfer set parts = 7 where id = '${transfer}'`,
      /no journal confirms the transfer/,
    ],
    [
      'a payment',
      `update payin set parts = 2 where id = '${deposit}'`,
      `update payin set parts = 1000 where id = '${deposit}'`,
      /the payment is not as it was recorded/,
    ],
    [
      'a journal that we did not post',
      `insert into posting select at, from_id, from_seq + 1000000, to_id, to_seq + 1000000, leg, kind, '${place}', cause, parts, from_balance,
         to_balance, price from posting where journal = ${journalOf(deposit)}`,
      `delete from posting where journal = '${place}'`,
      /has no MAC/,
    ],
  ];

  test('new rows, in the same night', async () => {
    assert.deepEqual(await night(), []);
    await live(GROUP);
    for (const [what, change, back, words] of changes(deposits.at(-1)!, transfers.at(-1)!)) {
      await past(change);
      assert.match((await night()).join('\n'), words, what);
      await past(back);
    }
    assert.deepEqual(await night(), []);
  });

  test('open rows, in the same night', async () => {
    assert.deepEqual(await night(), []);
    const name = wallets[1].name;
    for (const change of ['balance = balance + 1', `class = 'own'`, 'floor = null']) {
      await past(`create table kept_account as table account; update account set ${change} where name = '${name}'`);
      assert.match((await night()).join('\n'), new RegExp(`${name}|own = held`), change);
      await past('delete from account', 'insert into account table kept_account', 'drop table kept_account');
    }
    assert.deepEqual(await night(), []);
  });

  test('older rows, when the round reaches them; the whole proof finds them at once', async () => {
    const nights = Math.ceil((2 * deposits.length) / ROUND.journals) + 1;
    for (const [what, change, back, words] of changes(deposits[FEW]!, transfers[FEW]!)) {
      await past(change);
      const whole = (await verify(world.db, { checks: checksOf(OWNERS), isWhole: true })).faults
        .map((fault) => fault.words)
        .join('\n');
      assert.match(whole, words, what);
      let found = '';
      for (let turn = 0; turn < nights && found === ''; turn += 1) found = (await night()).join('\n');
      assert.match(found, words, `${what}, within ${nights} nights`);
      await past(back);
      assert.deepEqual(await night(), [], what);
    }
  });
});
