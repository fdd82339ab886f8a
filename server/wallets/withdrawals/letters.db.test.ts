// Letters about withdrawals and deposits in dollars of one payment system: in both languages and both forms, with the ticker that
// people use, the amount that arrived and its cost.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { queuedLetters } from '../../deliveries/testing.ts';
import { writeHolderMacs } from '../../auth/testing.ts';
import { useRails } from '../../payments/index.ts';
import { type Db, newId } from '../../platform/index.ts';
import type { Rail } from '../../rails/rail.ts';
import type { Deposit } from '../deposits/deposit.ts';
import { type DepositNews, queueDepositLetter } from '../deposits/deposit-letters.ts';
import { type WithdrawalLetter, queueLetter } from './letters.ts';
import type { Withdrawal } from './withdrawal.ts';
import { type WalletWorld, walletWorld } from '../scenarios/world.testing.ts';

const CODE = 'MONEYGO_USD';
const INTERNAL = /MONEYGO_USD|undefined|\{\w+\}/;
const KINDS: Readonly<Record<WithdrawalLetter, true>> = {
  ...{ asked: true, done: true, failed: true, rejected: true, kept: true, taken_back: true },
};
const NEWS: Readonly<Record<DepositNews['kind'], true>> = {
  ...{ held: true, papers: true, released: true, given_back: true, reversed: true, back: true, settled: true },
};

let world: WalletWorld;
let db: Db;
let ann: string;
before(async () => {
  world = await walletWorld();
  db = world.desk.db;
  ann = await world.holder();
  const currencies = [{ code: CODE, unit: CODE, network: 'MoneyGo', payDigits: 2, railScale: 2, fields: [], dust: 1n }];
  useRails(new Map([['moneygo', { id: 'moneygo', kind: 'provider', currencies } as unknown as Rail]]));
});
after(() => world.close());

const withdrawal = (): Withdrawal =>
  ({
    ...{
      id: newId(),
      holderId: ann,
      source: 'wallet',
      unit: CODE,
      rail: 'moneygo',
      currency: CODE,
      to: { account: 'U1' },
      key: 'u1',
    },
    ...{
      parts: 8_900n,
      fee: 100n,
      usd: 9_000n,
      status: 'done',
      people: 0,
      approved: 0,
      requestedAt: new Date(),
      statusAt: new Date(),
    },
  }) as unknown as Withdrawal;
const deposit = (): Deposit =>
  ({
    payinId: newId(),
    holderId: ann,
    unit: CODE,
    currency: CODE,
    status: 'final',
    owed: 50n,
    taken: 0n,
    txid: '',
  }) as unknown as Deposit;

/** Returns the one letter that a function queues, in a language, as plain text with plain spaces. */
async function written(locale: 'en' | 'ru', queue: () => Promise<void>): Promise<string> {
  await db.run('update account_holder set locale = $2 where id = $1', [ann, locale]);
  await writeHolderMacs(db);
  await db.run('delete from mail');
  await queue();
  const [letter] = await queuedLetters(db);
  assert.ok(letter);
  const all = `${letter.subject}\n${letter.text}\n${letter.html}`;
  assert.doesNotMatch(all, INTERNAL);
  return `${letter.subject}\n${letter.text}`.replaceAll('\u00a0', ' ');
}

test('each letter about a withdrawal uses the public ticker; the amount that arrived excludes the fee', async () => {
  for (const kind of Object.keys(KINDS) as WithdrawalLetter[]) {
    const english = await written('en', () => db.tx((tx) => queueLetter(tx, 'Kurs', withdrawal(), kind)));
    assert.match(english, kind === 'done' ? /\b89\.00 USD/ : /\b90\.00 USD/, kind);
    assert.doesNotMatch(english, kind === 'done' ? /90\.00/ : /89\.00/, kind);
    assert.match(english, /^Fee: 1\.00 USD$/m);
    assert.match(english, /^Network: MoneyGo$/m);
    const russian = await written('ru', () => db.tx((tx) => queueLetter(tx, 'Kurs', withdrawal(), kind)));
    assert.match(russian, kind === 'done' ? /89,00 USD/ : /90,00 USD/, kind);
  }
});

test('each letter states times in the account’s time zone, or in UTC if it is unknown', async () => {
  const queues = [
    ...(Object.keys(KINDS) as WithdrawalLetter[]).map((kind) => () => db.tx((tx) => queueLetter(tx, 'Kurs', withdrawal(), kind))),
    ...(Object.keys(NEWS) as DepositNews['kind'][]).map((kind) => () => {
      const matures = { ...deposit(), status: 'maturing', freeAt: new Date('2027-05-19T20:00:00Z') } as Deposit;
      return db.tx((tx) => queueDepositLetter(tx, 'Kurs', matures, { kind, parts: 9_000n }));
    }),
  ];
  for (const [zone, is, isNot] of [
    ['Asia/Kolkata', /GMT\+5:30/, /UTC|May 19/],
    ['Nowhere/Land', /UTC/, /GMT/],
  ] as const) {
    await db.run('update account_holder set timezone = $2 where id = $1', [ann, zone]);
    for (const queue of queues) {
      const text = await written('en', queue);
      assert.match(text, is);
      assert.doesNotMatch(text, isNot);
    }
  }
  await db.run(`update account_holder set timezone = 'UTC' where id = $1`, [ann]);
});

test('each letter about a deposit states times in the account’s time zone', async () => {
  for (const kind of Object.keys(NEWS) as DepositNews['kind'][]) {
    for (const locale of ['en', 'ru'] as const) {
      const news = { kind, parts: 9_000n, settled: 50n };
      assert.match(await written(locale, () => db.tx((tx) => queueDepositLetter(tx, 'Kurs', deposit(), news))), /90[.,]00 USD/);
    }
  }
});
