import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { formatRate, rate } from '@kurs/money';
import { SOURCES, type Source, priceOfBook } from './sources.ts';

/** Answers as the providers document them (see each source’s address in sources.ts). */
const fixture = (name: string): unknown => JSON.parse(readFileSync(new URL(`fixtures/${name}.json`, import.meta.url), 'utf8'));
const source = (id: string): Source => SOURCES.find((one) => one.id === id) as Source;
const priceText = (id: string, answer: unknown, symbol: string): string =>
  formatRate(rate('BTC', 'USD', priceOfBook(source(id).book(answer, symbol))));

test('each source’s documented answer is read', () => {
  const kraken = fixture('kraken-ticker');
  assert.equal(priceText('kraken', kraken, 'XXBTZUSD'), '79997.25');
  assert.equal(priceText('kraken', kraken, 'USDTZUSD'), '0.999495');
  assert.equal(priceText('coinbase', fixture('coinbase-ticker'), 'BTC-USD'), '6266.43');
  assert.equal(priceText('bitstamp', fixture('bitstamp-ticker'), 'btcusd'), '26209.5');
});

test('sources are asked by their documented paths', () => {
  assert.deepEqual(source('kraken').calls(['XXBTZUSD', 'USDTZUSD']), [
    { path: '/0/public/Ticker?pair=XXBTZUSD,USDTZUSD', symbols: ['XXBTZUSD', 'USDTZUSD'] },
  ]);
  assert.deepEqual(source('coinbase').calls(['BTC-USD', 'USDT-USD']), [
    { path: '/products/BTC-USD/ticker', symbols: ['BTC-USD'] },
    { path: '/products/USDT-USD/ticker', symbols: ['USDT-USD'] },
  ]);
  assert.deepEqual(source('bitstamp').calls(['btcusd']), [{ path: '/api/v2/ticker/btcusd/', symbols: ['btcusd'] }]);
});

test('anything but the documented answer is refused', () => {
  const coinbase = fixture('coinbase-ticker') as Record<string, unknown>;
  const bitstamp = fixture('bitstamp-ticker') as Record<string, unknown>;
  const kraken = fixture('kraken-ticker') as { result: Record<string, { a: string[] }> };
  const refused: [string, unknown, string][] = [
    ['kraken', fixture('kraken-error'), 'XXBTZUSD'],
    ['kraken', kraken, 'XETHZUSD'],
    ['kraken', { ...kraken, error: ['EService:Unavailable'] }, 'XXBTZUSD'],
    ['kraken', { error: [], result: { XXBTZUSD: { ...kraken.result['XXBTZUSD'], a: [79997.3, '1', '1'] } } }, 'XXBTZUSD'],
    ['coinbase', { ...coinbase, bid: 6265.15 }, 'BTC-USD'],
    ['coinbase', { ...coinbase, ask: '6.2e3' }, 'BTC-USD'],
    ['coinbase', { ...coinbase, ask: '-6267' }, 'BTC-USD'],
    ['coinbase', { message: 'NotFound' }, 'BTC-USD'],
    ['coinbase', null, 'BTC-USD'],
    ['bitstamp', { ...bitstamp, bid: undefined }, 'btcusd'],
    ['bitstamp', { ...bitstamp, bid: '' }, 'btcusd'],
    ['bitstamp', [bitstamp], 'btcusd'],
  ];
  for (const [id, answer, symbol] of refused) {
    assert.throws(() => source(id).book(answer, symbol), `${id} ${JSON.stringify(answer)?.slice(0, 80)}`);
  }
});

test('what is odd about one symbol says nothing of the others in its answer', () => {
  const kraken = fixture('kraken-ticker') as { result: Record<string, { a: string[]; b: string[] }> };
  const { XXBTZUSD, USDTZUSD } = kraken.result;
  for (const odd of [null, '5.5', {}, { ...XXBTZUSD, a: ['-1', '1', '1'] }, { ...XXBTZUSD, b: [0, '1', '1'] }]) {
    const answer = { ...kraken, result: { XXBTZUSD: odd, USDTZUSD } };
    assert.equal(priceText('kraken', answer, 'USDTZUSD'), '0.999495');
    assert.throws(() => source('kraken').book(answer, 'XXBTZUSD'), JSON.stringify(odd));
  }
});

test('a book that is no price is refused', () => {
  assert.throws(() => priceOfBook({ bid: '0', ask: '1' }), /no bid/);
  assert.throws(() => priceOfBook({ bid: '2', ask: '1' }), /crossed/);
  assert.throws(() => priceOfBook({ bid: '100', ask: '101.01' }), /wider/);
  assert.equal(priceOfBook({ bid: '100', ask: '101' }).numerator, 201n);
});
