import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Problem } from '@kurs/contract';
import { decimal, fraction } from '@kurs/money';
import { takesReversible } from '../../compliance/index.ts';
import { advanceClock, putSetting, watchSettings } from '../../platform/index.ts';
import { saveFeedCode, switchDirection } from '../directions/change-direction.ts';
import { ratesFeed } from './feed.ts';
import { quote } from '../quotes/quote.ts';
import { compareFractions } from '../directions/share.ts';
import { currenciesWire, directionsWire, quoteWire } from '../quotes/wire.ts';
import { type PricedWorld, openPricedWorld } from '../scenarios/world.testing.ts';

let world: PricedWorld;
let settings: { stop(): Promise<void> };
const OPTIONS = { waitsForPerson: (usd: bigint) => usd > 300_000n };
const feed = () => ratesFeed(OPTIONS);

before(async () => {
  world = await openPricedWorld({ usualMinutes: async () => new Map([['btc-usdt-erc20', 23]]) });
  settings = await watchSettings(world.db);
});
after(async () => {
  await settings.stop();
  await world.close();
});
beforeEach(() => world.rates());

test('lists every open direction by the monitors’ codes, with the limits and the reserve that its page shows', () => {
  assert.deepEqual(
    feed().map(({ from, to }) => `${from} ${to}`),
    ['BTC USDTERC20', 'USDTERC20 BTC'],
  );
  const codes = new Map(currenciesWire().map(({ code, feed_code }) => [feed_code, code]));
  for (const item of feed()) {
    const shown = directionsWire({ from: codes.get(item.from), to: codes.get(item.to) }).directions[0];
    assert.deepEqual([item.min, item.max, item.amount], [shown?.min, shown?.max, shown?.reserve]);
    assert.deepEqual([item.fixedMinutes, item.isManual], [15, false]);
    assert.equal(item.delay, shown?.usual_minutes);
  }
});

test('never shows a better rate than a quote gives, at the smallest and the largest amount, in any market', async () => {
  for (const bid of ['90000', '91377.61', '7.03', '123456.789', '33333.333']) {
    for (const fuel of ['0.0002', '0.00137']) {
      await world.cost('USDT_ERC20', 'ETH', fuel);
      await world.rates({ BTC: { bid, ask: bid } });
      for (const item of feed()) {
        const [from, to] = item.from === 'BTC' ? ['BTC', 'USDT_ERC20'] : ['USDT_ERC20', 'BTC'];
        for (const amount of [item.min, item.max]) {
          const { give, get } = quoteWire(quote({ from: from as string, to: to as string, amount, side: 'give' }));
          const [given, got, shownIn, shownOut] = [give.amount, get.amount, item.in, item.out].map(decimal);
          const over = (a = fraction(0n, 1n), b = fraction(1n, 1n)) =>
            fraction(a.numerator * b.denominator, a.denominator * b.numerator);
          const [shown, real] = [over(shownOut, shownIn), over(got, given)];
          assert.ok(compareFractions(shown, real) <= 0, `${item.from} at ${bid}: ${item.in} → ${item.out}`);
          // At the smallest amount, it may be worse by rounding only: a thousandth.
          const close = fraction(real.numerator * 999n, real.denominator * 1_000n);
          if (amount === item.min) assert.ok(compareFractions(shown, close) >= 0, `${item.from} at ${bid} is far off`);
        }
      }
    }
  }
  await world.cost('USDT_ERC20', 'ETH', '0.0002');
});

test('leaves out closed directions; outdated rates empty the list without a database read', async () => {
  const { db } = world;
  await db.tx((tx) => switchDirection(tx, 'btc-usdt-erc20', false, 'test'));
  await world.refresh();
  assert.deepEqual(
    feed().map(({ from }) => from),
    ['USDTERC20'],
  );
  await db.tx((tx) => switchDirection(tx, 'btc-usdt-erc20', true, 'test'));
  await world.refresh();
  assert.equal(feed().length, 2);
  await advanceClock(db, 3_600_000);
  await world.refresh();
  assert.deepEqual(feed(), []);
});

test('is built once for each set of rates and view', async () => {
  const first = feed();
  assert.equal(feed(), first);
  await world.payable('BTC', 'BTC', '40');
  assert.notEqual(feed(), first);
  assert.equal(ratesFeed(OPTIONS)[1]?.amount, '40.00000000');
  await world.payable('BTC', 'BTC', '50');
});

test('marks directions whose larger orders wait for a person', () => {
  assert.deepEqual(
    ratesFeed({ waitsForPerson: (usd) => usd > 50_000n }).map(({ isManual }) => isManual),
    [true, true],
  );
});

test('marks reversible payments: payers are verified and payouts held, for a stated time', async () => {
  const { db } = world;
  const put = async (key: string, value: unknown, isSeen: () => boolean): Promise<void> => {
    await db.tx((tx) => putSetting(tx, key, value, 'test'));
    for (let poll = 0; poll < 60 && !isSeen(); poll += 1) {
      await sleep(50);
      await world.refresh();
    }
    assert.ok(isSeen(), key);
  };
  const now = () => feed().map(({ from, isReversible, delay }) => [from, isReversible, delay]);
  await put('compliance.exposure_usd', '20000', () => takesReversible());
  await put('compliance.reversible_currencies', ['USDT_ERC20'], () => feed().some(({ isReversible }) => isReversible));
  assert.deepEqual(now(), [
    ['BTC', false, 23],
    ['USDTERC20', true, 72 * 60],
  ]);
  await put('compliance.reversible_currencies', [], () => !feed().some(({ isReversible }) => isReversible));
});

test('an operator edits the monitors’ code of a currency; without one the currency is left out', async () => {
  const { db } = world;
  const save = (currency: string, code: string | null) => db.tx((tx) => saveFeedCode(tx, currency, code));
  await save('USDT_ERC20', 'USDTETH');
  await world.refresh();
  assert.deepEqual(
    feed().map(({ from }) => from),
    ['BTC', 'USDTETH'],
  );
  await save('USDT_ERC20', null);
  await world.refresh();
  assert.deepEqual(feed(), []);
  assert.equal(currenciesWire().find(({ code }) => code === 'USDT_ERC20')?.feed_code, undefined);
  const refused = (field: string) => (error: Problem) => error.code === 'validation' && field in (error.details.errors ?? {});
  await assert.rejects(save('USDT_ERC20', 'BTC'), refused('code'));
  await assert.rejects(save('USDT_ERC20', 'a<b'), refused('code'));
  await assert.rejects(save('XMR', 'XMR'), refused('currency'));
  await save('USDT_ERC20', 'USDTERC20');
});
