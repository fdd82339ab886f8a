import assert from 'node:assert/strict';
import { test } from 'node:test';
import { REPORTS, cents, fileOf } from './desk-reports.ts';
import type { SupportTool } from './desk-support.ts';

test('a report’s file names its columns, keeps every digit, and holds nothing that a spreadsheet takes for a formula', async () => {
  const exact = [
    { rail: 'bitcoin', 'profit USD': '12.345678901234567890123' },
    { rail: '=HYPERLINK("x")', 'profit USD': '-0.5' },
  ];
  let file = '';
  for await (const text of fileOf({ exact, sums: ['profit USD'] })) file += text;
  assert.equal(file, '\ufeffrail,profit USD\r\nbitcoin,12.345678901234567890123\r\n"\'=HYPERLINK(""x"")",-0.5\r\n');
});

test('people read sums to the cent', () => {
  for (const [sum, shown] of [
    ['12.345', '12.35'],
    ['-0.005', '-0.01'],
    ['-0.004', '0.00'],
    ['0', '0.00'],
    ['999.999', '1000.00'],
    ['-1234567.1', '-1234567.10'],
  ] as const)
    assert.equal(cents(sum), shown, sum);
});

/** Returns the output of a command for an answer. */
async function said(command: string, call: string, answer: unknown): Promise<{ rows: object[]; words: string[] }> {
  const [rows, words]: [object[], string[]] = [[], []];
  const client = { [call]: async () => answer };
  const tool = {
    client,
    flags: {},
    isJson: false,
    table: (found: object[]) => rows.push(...(found.length > 0 ? found : [{ none: true }])),
    print: (text: string) => words.push(text),
  };
  await REPORTS[command]?.(tool as unknown as SupportTool);
  return { rows, words };
}

test('groups without a direction are listed by name', async () => {
  const answer = {
    ...{ from: '2026-11-01', to: '2026-11-28', by: 'direction', operating: '1.5' },
    rows: [
      { direction: 'btc-usdt-erc20', operating: '2' },
      { other: 'rewards', operating: '-0.5' },
    ],
  };
  const { rows, words } = await said('profit', 'operatorProfit', answer);
  assert.deepEqual(rows, [
    { direction: 'btc-usdt-erc20', 'profit USD': '2.00' },
    { direction: 'coupons, prizes and rewards', 'profit USD': '-0.50' },
  ]);
  assert.deepEqual(words, ['profit from 2026-11-01 to 2026-11-28 (UTC): 1.50 USD']);
});

test('a report without a grouping is one line', async () => {
  const answer = { from: '2026-11-28', to: '2026-11-28', usd: '0', exchanges: 0, rows: [] };
  const { rows, words } = await said('turnover', 'operatorTurnover', answer);
  assert.deepEqual([rows, words], [[], ['turnover on 2026-11-28 (UTC): 0.00 USD in 0 exchanges']]);
});

test('the list of directions has the slug that price takes, and the spread as price takes it', async () => {
  const spread = [
    { from: '0', percent: '0.5' },
    { from: '1000', percent: '0.4' },
  ];
  const direction = {
    slug: 'btc-usdt-erc20',
    from: 'BTC',
    to: 'USDT_ERC20',
    on: true,
    closed: 'reserve',
    spread,
    min: '0.001',
    max: '2',
    reserve: '10.500000',
    orders_today: 3,
  };
  const { rows } = await said('directions', 'operatorDirections', [direction]);
  assert.deepEqual(rows, [
    {
      ...{ slug: 'btc-usdt-erc20', from: 'BTC', to: 'USDT_ERC20', on: 'on', 'closed by': 'reserve' },
      ...{ spread: '0=0.5,1000=0.4', min: '0.001', max: '2', reserve: '10.50 USDT_ERC20', 'orders today': '3' },
    },
  ]);
});
