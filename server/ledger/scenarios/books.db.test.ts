// The life of a small desk in the real books: two orders, one of them charged back, a coupon, rewards, a wallet, a sweep, an
// invoice, a refund, capital, two price moves and the nightly close. The expected profit was computed by hand.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type TestDb, testDb } from '../../platform/testing.ts';
import { uuidOf } from '../post/journals.testing.ts';
import { type AccountRef, type IncomeKind, type Place, type PromoKind, type SpentKind, accounts } from '../chart/chart.ts';
import type { Journal, JournalKind, JournalStatus } from '../chart/journal.ts';
import { post } from '../post/post.ts';
import { profit } from '../read/profit.ts';
import { balance } from '../read/store.ts';
import { verify } from '../proof/verify.ts';

type Line = [from: string, to: string, parts: number, unit: string];

/** Returns the chart's account for a short name such as `order:A:in` and a unit. */
function ref(text: string, unit: string): AccountRef {
  const [head = '', one = '', two = ''] = text.split(':');
  switch (`${head}:${two}`) {
    case 'order:in':
      return accounts.orderIn(one, unit);
    case 'order:out':
      return accounts.orderOut(one, unit);
    case 'order:reserve':
      return accounts.orderReserve(one, unit);
    case 'invoice:in':
      return accounts.invoiceIn(one, unit);
    case 'invoice:set':
      return accounts.invoiceSet(one, unit);
    case 'invoice:reserve':
      return accounts.invoiceReserve(one, unit);
    case 'wallet:held':
      return accounts.walletHeld(one, unit);
    case 'affiliate:pending':
      return accounts.affiliatePending(one, unit);
    case 'custody:':
      return accounts.custody(unit, one as Place, unit);
    case 'desk:':
      return one === 'free' ? accounts.deskFree(unit) : accounts.deskFuel(unit);
    case 'income:':
      return accounts.income(one as IncomeKind, unit);
    case 'spent:':
      return accounts.spent(one as SpentKind, unit);
    case 'promo:':
      return accounts.promo(one as PromoKind, unit);
    case 'payout:':
      return accounts.payout(one, unit);
    case 'wallet:':
      return accounts.wallet(one, unit);
    case 'coupon:':
      return accounts.coupon(one, unit);
    case 'merchant:':
      return accounts.merchant(one, unit);
    case 'refund:':
      return accounts.refund(one, unit);
    case 'receivable:':
      return accounts.receivable(one, unit);
    case 'provision:':
      return accounts.provisionReversal(unit);
    default:
      throw new Error(text);
  }
}

const PRICES = { BTC: '90000', USDT: '1', PAYPAL_USD: '1', TRX: '0.28' };
const LATER = { ...PRICES, BTC: '95000', TRX: '0.3' };
const LAST = { ...LATER, BTC: '93000' };

const CAPITAL: Line[] = [
  ['custody:hot', 'desk:free', 50_000e6, 'USDT'],
  ['custody:hot', 'desk:free', 1e8, 'BTC'],
  ['custody:hot', 'desk:free', 500_000, 'PAYPAL_USD'],
  ['custody:fuel', 'desk:free', 2_000e6, 'TRX'],
];

// 0.015 BTC to USDT at 90 000: a fee of 0.5 % with 20 % off, and a cost line of 3 000 sat.
const ORDER_A: [JournalKind, Line[]][] = [
  ['fuel', [['desk:free', 'desk:fuel', 1_500e6, 'TRX']]],
  [
    'promo_funded',
    [
      ['desk:free', 'promo:affiliate', 200e6, 'USDT'],
      ['desk:free', 'promo:late', 100e6, 'USDT'],
    ],
  ],
  ['reserve', [['desk:free', 'order:A:reserve', 1_341_900_000, 'USDT']]],
  ['payin', [['custody:deposit', 'order:A:in', 1_500_000, 'BTC']]],
  [
    'exchange',
    [
      ['order:A:in', 'income:spread', 7_500, 'BTC'],
      ['spent:discount', 'order:A:in', 1_500, 'BTC'],
      ['order:A:in', 'income:fee', 3_000, 'BTC'],
      ['order:A:in', 'desk:free', 1_491_000, 'BTC'],
      ['order:A:reserve', 'order:A:out', 1_341_900_000, 'USDT'],
    ],
  ],
  ['payout_queued', [['order:A:out', 'payout:A', 1_341_900_000, 'USDT']]],
  [
    'sent',
    [
      ['payout:A', 'custody:hot', 1_341_900_000, 'USDT'],
      ['spent:network', 'custody:fuel', 13e6, 'TRX'],
    ],
  ],
  [
    'reward',
    [
      ['promo:affiliate', 'affiliate:f:pending', 1_450_000, 'USDT'],
      ['promo:affiliate', 'affiliate:g:pending', 240_000, 'USDT'],
    ],
  ],
  ['coupon_issued', [['promo:late', 'coupon:A', 5_400_000, 'USDT']]],
];

// 200 PAYPAL_USD to USDT, of which the provider keeps 7.47. The payout is refused once. The payment is charged back after the
// payout, with a fee of 20.00. Then a wallet, an invoice in BTC settled in USDT, a partial refund, and capital taken out.
const THE_REST: [JournalKind, Line[]][] = [
  ['reserve', [['desk:free', 'order:B:reserve', 182_530_000, 'USDT']]],
  [
    'payin',
    [
      ['custody:hot', 'order:B:in', 20_000, 'PAYPAL_USD'],
      ['spent:rail', 'custody:hot', 747, 'PAYPAL_USD'],
    ],
  ],
  [
    'exchange',
    [
      ['order:B:in', 'income:spread', 1_000, 'PAYPAL_USD'],
      ['order:B:in', 'income:fee', 747, 'PAYPAL_USD'],
      ['order:B:in', 'desk:free', 18_253, 'PAYPAL_USD'],
      ['income:spread', 'provision:reversal', 200, 'PAYPAL_USD'],
      ['order:B:reserve', 'order:B:out', 182_530_000, 'USDT'],
    ],
  ],
  ['payout_queued', [['order:B:out', 'payout:B', 182_530_000, 'USDT']]],
  ['refused', [['payout:B', 'order:B:out', 182_530_000, 'USDT']]],
  ['payout_queued', [['order:B:out', 'payout:B2', 182_530_000, 'USDT']]],
  [
    'sent',
    [
      ['payout:B2', 'custody:hot', 182_530_000, 'USDT'],
      ['spent:network', 'custody:fuel', 27e6, 'TRX'],
    ],
  ],
  [
    'reversal',
    [
      ['receivable:b', 'custody:hot', 20_000, 'PAYPAL_USD'],
      ['spent:rail', 'custody:hot', 2_000, 'PAYPAL_USD'],
    ],
  ],
  [
    'write_off',
    [
      ['provision:reversal', 'receivable:b', 200, 'PAYPAL_USD'],
      ['spent:loss', 'receivable:b', 19_800, 'PAYPAL_USD'],
    ],
  ],
  ['deposit', [['custody:deposit', 'wallet:u', 300e6, 'USDT']]],
  ['withdrawal_asked', [['wallet:u', 'wallet:u:held', 101_500_000, 'USDT']]],
  [
    'withdrawal_queued',
    [
      ['wallet:u:held', 'payout:W', 100e6, 'USDT'],
      ['wallet:u:held', 'income:fee', 1_500_000, 'USDT'],
    ],
  ],
  [
    'sent',
    [
      ['payout:W', 'custody:hot', 100e6, 'USDT'],
      ['spent:network', 'custody:fuel', 13e6, 'TRX'],
    ],
  ],
  ['transfer', [['wallet:u', 'wallet:v', 50e6, 'USDT']]],
  ['sweep', [['custody:transit', 'custody:deposit', 300e6, 'USDT']]],
  [
    'sweep',
    [
      ['custody:hot', 'custody:transit', 300e6, 'USDT'],
      ['spent:network', 'custody:fuel', 14e6, 'TRX'],
    ],
  ],
  ['invoice_reserve', [['desk:free', 'invoice:i:reserve', 94_525_000, 'USDT']]],
  ['invoice_payin', [['custody:deposit', 'invoice:i:in', 100_000, 'BTC']]],
  [
    'invoice_converted',
    [
      ['invoice:i:in', 'income:spread', 500, 'BTC'],
      ['invoice:i:in', 'desk:free', 99_500, 'BTC'],
      ['invoice:i:reserve', 'invoice:i:set', 94_525_000, 'USDT'],
    ],
  ],
  [
    'invoice_settled',
    [
      ['invoice:i:set', 'merchant:m', 93_768_800, 'USDT'],
      ['invoice:i:set', 'income:gate', 756_200, 'USDT'],
    ],
  ],
  ['merchant_refund', [['merchant:m', 'refund:r', 10e6, 'USDT']]],
  ['merchant_refund_claimed', [['refund:r', 'payout:R', 10e6, 'USDT']]],
  [
    'sent',
    [
      ['payout:R', 'custody:hot', 10e6, 'USDT'],
      ['spent:network', 'custody:fuel', 13e6, 'TRX'],
    ],
  ],
  ['capital_out', [['desk:free', 'payout:D', 1_000e6, 'USDT']]],
  ['sent', [['payout:D', 'custody:hot', 1_000e6, 'USDT']]],
];

const RESULT = { capital: '144560', operating: '-229.9988', revaluation: '3082.74', profit: '2852.7412', exact: true };

describe('a small desk’s books', () => {
  let world: TestDb;
  let id = 0;

  const enter = async (kind: JournalKind, lines: Line[], prices: Record<string, string>): Promise<JournalStatus> => {
    const legs = lines.map(([from, to, parts, unit]) => ({ from: ref(from, unit), to: ref(to, unit), parts: BigInt(parts) }));
    const journal: Journal = { id: uuidOf('b', (id += 1)), kind, cause: uuidOf('b', 0), legs, prices };
    const [status] = await world.db.tx((tx) => post(tx, [journal]));
    return status as JournalStatus;
  };
  const enterAll = async (journals: [JournalKind, Line[]][], prices: Record<string, string>): Promise<void> => {
    for (const [kind, lines] of journals) assert.deepEqual(await enter(kind, lines, prices), { status: 'posted' }, kind);
  };
  const figures = async () => {
    const { capital, operating, revaluation, profit: earned, isExact } = await profit(world.db, { closing: LAST });
    return { capital, operating, revaluation, profit: earned, exact: isExact };
  };

  before(async () => {
    world = await testDb();
    await enterAll([['capital_in', CAPITAL]], PRICES);
    await enterAll(ORDER_A, PRICES);
    await enterAll(THE_REST, LATER);
  });
  after(() => world.drop());

  test('profit is operating + revaluation to the last digit', async () => {
    assert.deepEqual(await figures(), RESULT);
  });

  test('bounds refuse a second promise, a second intent and an overdraft', async () => {
    const refused: [JournalKind, Line][] = [
      ['reserve', ['desk:free', 'order:C:reserve', 49_000e6, 'USDT']],
      ['payout_queued', ['order:A:out', 'payout:A2', 1_341_900_000, 'USDT']],
      ['withdrawal_asked', ['wallet:u', 'wallet:u:held', 301e6, 'USDT']],
    ];
    for (const [kind, line] of refused) assert.deepEqual(await enter(kind, [line], LATER), { status: 'floor', leg: 0 }, line[0]);
    const twice: Line = ['custody:fuel', 'custody:hot', 1, 'TRX'];
    assert.deepEqual(await enter('fuel', [twice], LATER), { status: 'ceiling', leg: 0 });
    assert.deepEqual(await figures(), RESULT);
  });

  test('the nightly close moves income and expenses into free money and leaves the profit unchanged', async () => {
    const rows = await world.db.rows<{ name: string; unit: string; balance: string }>(
      `select name, unit, balance from account where (name like 'income:%' or name like 'spent:%') and balance <> 0 order by name`,
    );
    assert.ok(rows.length > 8);
    const lines = rows.map(({ name, unit, balance: stored }): Line => {
      const account = name.slice(0, name.lastIndexOf(':'));
      if (name.startsWith('income:')) return [account, 'desk:free', +stored, unit];
      return [unit === 'TRX' ? 'desk:fuel' : 'desk:free', account, -stored, unit];
    });
    assert.deepEqual(await enter('close', lines, LAST), { status: 'posted' });
    assert.equal(await balance(world.db, accounts.spent('loss', 'PAYPAL_USD')), 0n);
    assert.deepEqual(await figures(), RESULT);
  });

  test('verify finds no fault: own = held − owed, and every order is empty', async () => {
    const empty = { accountTypes: ['order:in', 'order:out', 'order:reserve'], causes: [], balances: async () => [] } as const;
    const report = await verify(world.db, { checks: [empty] });
    assert.deepEqual(report.faults, []);
    assert.deepEqual(report.units, [
      { unit: 'BTC', held: 101_600_000n, owed: 0n, own: 101_600_000n },
      { unit: 'PAYPAL_USD', held: 497_253n, owed: 0n, own: 497_253n },
      { unit: 'TRX', held: 1_920_000_000n, owed: 0n, own: 1_920_000_000n },
      { unit: 'USDT', held: 47_665_570_000n, owed: 289_358_800n, own: 47_376_211_200n },
    ]);
  });

  test('profits of two periods add up to the whole', async () => {
    const middle = await world.db.row<{ at: Date }>(
      `select max(at) as at from posting where kind = 30`, // the coupon: the last journal at the first prices
    );
    const at = middle?.at as Date;
    const [first, second] = [
      await profit(world.db, { until: at, closing: PRICES }),
      await profit(world.db, { after: at, opening: PRICES, closing: LAST }),
    ];
    assert.ok(first.isExact && second.isExact);
    assert.equal(first.closing, second.opening);
    assert.deepEqual([first.profit, second.profit], ['-2.63', '2855.3712']);
  });
});
