import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Direction } from '../../../features/calculator/price-breakdown.ts';
import type { Currency } from '../../../features/currency.ts';
import { PER_PAGE, matching, pageOf, readFilter, writeFilter } from './filter.ts';

const currency = (code: string, name: string, network: string, kind: Currency['kind']): Currency => ({
  code,
  name,
  network,
  asset: code.split('_')[0] as string,
  kind,
  unit: code,
  payDigits: 2,
  digits: 2,
});
const CURRENCIES = [
  currency('BTC', 'Bitcoin', 'Bitcoin', 'crypto'),
  currency('USDT_ERC20', 'Tether', 'Ethereum · ERC-20', 'crypto'),
  currency('PAYPAL_USD', 'PayPal', 'PayPal', 'ewallet'),
];
const direction = (from: string, to: string): Direction => ({
  from,
  to,
  slug: `${from}-${to}`.toLowerCase(),
  open: true,
  fee_percent: '1',
  min: '1',
  max: '2',
  reserve: '3',
});
const ALL = [direction('BTC', 'USDT_ERC20'), direction('BTC', 'PAYPAL_USD'), direction('USDT_ERC20', 'BTC')];
const found = (query: string): string[] =>
  matching(ALL, readFilter(new URLSearchParams(query)), CURRENCIES).map(({ slug }) => slug);

test('words, both currencies and the kind restrict the list; an empty filter matches everything', () => {
  assert.equal(found('').length, 3);
  assert.deepEqual(found('q=paypal+bitcoin'), ['btc-paypal_usd']);
  assert.equal(found('q=ERC-20').length, 2);
  assert.equal(found('q=BTC+→+tether').length, 2);
  assert.deepEqual(found('from=USDT_ERC20'), ['usdt_erc20-btc']);
  assert.deepEqual(found('to=USDT_ERC20'), ['btc-usdt_erc20']);
  assert.deepEqual(found('kind=ewallet'), ['btc-paypal_usd']);
  assert.equal(found('kind=crypto').length, 2);
  assert.deepEqual(found('q=doge'), []);
});

test('invalid values in the address count as unset', () => {
  const filter = readFilter(new URLSearchParams('from=<script>&kind=gold&page=-1&q=%20'));
  assert.deepEqual(filter, { q: '', from: '', to: '', kind: '', page: 1 });
  assert.deepEqual(writeFilter(filter), {});
  assert.deepEqual(writeFilter({ ...filter, q: 'btc', page: 3 }), { q: 'btc', page: '3' });
});

test('pages are grouped by the currency to send and lose nothing; a page after the last shows the last', () => {
  const many = Array.from({ length: 2 * PER_PAGE + 3 }, (_, index) => direction(index % 2 === 0 ? 'BTC' : 'ETH', `T${index}`));
  const seen = [1, 2, 3].flatMap((page) => pageOf(many, page).groups.flatMap(({ directions }) => directions));
  assert.equal(new Set(seen.map(({ to }) => to)).size, many.length);
  assert.deepEqual(
    seen.map(({ from }) => from),
    seen.map(({ from }) => from).toSorted(),
  );
  assert.equal(pageOf(many, 1).pages, 3);
  assert.equal(pageOf(many, 99).page, 3);
  assert.deepEqual(pageOf([], 1), { groups: [], pages: 1, page: 1 });
});
