import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { Problem, routes } from '@kurs/contract';
import {
  type PriceTerms,
  type Rate,
  compare,
  format,
  fraction,
  parse,
  parseRate,
  percent,
  breakdownForGet,
  breakdownForGive,
  totalOf,
} from '@kurs/money';
import fc from 'fast-check';
import { watchSettings } from '../../platform/index.ts';
import { type QuoteInput, movedAgainstDesk, quote, worthOf } from './quote.ts';
import { readReserve } from '../known/reserve.ts';
import { closedNow, reserveOf } from '../price/price-now.ts';
import { directionOf } from '../known/view.ts';
import { type PricedWorld, openPricedWorld } from '../scenarios/world.testing.ts';
import { currenciesWire, directionsWire, gatewaysWire, quoteWire } from './wire.ts';

let world: PricedWorld;
let settings: { stop(): Promise<void> };

before(async () => {
  world = await openPricedWorld({ usualMinutes: async () => new Map([['btc-usdt-erc20', 23]]) });
  settings = await watchSettings(world.db);
});
after(async () => {
  await settings.stop();
  await world.close();
});
beforeEach(() => world.rates());

const ask = (from: string, amount: string, side: 'give' | 'get' = 'give'): QuoteInput => ({
  from,
  to: from === 'BTC' ? 'USDT_ERC20' : 'BTC',
  amount,
  side,
});
const wire = (input: QuoteInput) => quoteWire(quote(input));
const reason = (from: string) => closedNow(directionOf(from, from === 'BTC' ? 'USDT_ERC20' : 'BTC'));

/** Calls a function and returns the problem that it throws: its code, or for a validation the field’s code and parameters. */
function problem(run: () => unknown): { code: string; params?: Record<string, string> } {
  try {
    run();
  } catch (error) {
    assert.ok(error instanceof Problem, String(error));
    const field = error.details.errors?.['amount'] as { code: string; params?: Record<string, string> } | undefined;
    return field ?? { code: error.code, ...(error.details.params && { params: error.details.params }) };
  }
  return assert.fail('was not refused');
}

test('every figure of a quote agrees with a calculation by hand, both ways', () => {
  const shown = wire(ask('BTC', '0.01'));
  // Fee 0.5 % = 0.00005. Payout: 0.0002 ETH = 0.60 USD = 0.00000667 BTC, rounded up. 0.00994333 × 90 000 = 894.8997.
  assert.deepEqual(shown.fees, [
    { code: 'fee', amount: '0.00005000', currency: 'BTC', percent: '0.5' },
    { code: 'network', amount: '0.00000667', currency: 'BTC' },
  ]);
  assert.deepEqual(shown.exchanged, { amount: '0.00994333', currency: 'BTC' });
  assert.deepEqual(shown.get, { amount: '894.89', currency: 'USDT_ERC20' });
  assert.deepEqual(shown.rate, { base: 'BTC', quote: 'USDT', value: '90000' });
  const back = wire(ask('USDT_ERC20', '900'));
  // Payout: 1 500 sat = 1.35 USDT. Collecting the payment costs one and a half sendings: 0.90.
  assert.deepEqual(back.fees, [
    { code: 'fee', amount: '4.50', currency: 'USDT_ERC20', percent: '0.5' },
    { code: 'network', amount: '1.35', currency: 'USDT_ERC20' },
    { code: 'sweep', amount: '0.90', currency: 'USDT_ERC20' },
  ]);
  assert.deepEqual(back.get, { amount: '0.00992500', currency: 'BTC' });
  assert.ok(routes.calculate.output.safeParse(shown).success && routes.calculate.output.safeParse(back).success);
});

test('a quote for an amount to receive returns the smallest amount to give', () => {
  const shown = wire(ask('BTC', '894.89', 'get'));
  assert.equal(shown.get.amount, '894.89');
  assert.equal(shown.give.amount, '0.00999990');
  assert.equal(wire(ask('BTC', shown.give.amount)).get.amount, '894.89');
});

test('a small amount pays the minimum fee, without a percentage', () => {
  const fee = wire(ask('USDT_ERC20', '60')).fees[0];
  assert.deepEqual(fee, { code: 'fee', amount: '0.30', currency: 'USDT_ERC20', percent: '0.5' });
  const terms = { ...quote(ask('USDT_ERC20', '60')).terms, costs: [] };
  const [min] = breakdownForGive(parse('USDT', '20'), terms).components;
  assert.deepEqual([min?.amount, min?.words, min?.percent], [200_000n, 'fee_least', undefined]);
});

test('refuses malformed amounts and too many decimals, each by its code', () => {
  for (const amount of ['-1', '1e-7', 'NaN', '1,5', ' 5', '', '0x1', '1'.repeat(400)]) {
    assert.equal(problem(() => quote(ask('BTC', amount))).code, 'amount_format', amount);
  }
  assert.deepEqual(
    problem(() => quote(ask('BTC', '0.123456789'))),
    {
      code: 'amount_decimals',
      params: { currency: 'BTC', decimals: '8' },
    },
  );
  assert.deepEqual(
    problem(() => quote(ask('USDT_ERC20', '100.001'))),
    {
      code: 'amount_decimals',
      params: { currency: 'USDT_ERC20', decimals: '2' },
    },
  );
  assert.equal(quote(ask('USDT_ERC20', '100.100000')).breakdown.give.parts, 100_100_000n, 'zeros are not too fine');
  assert.equal(problem(() => quote(ask('BTC', '9'.repeat(38)))).code, 'amount_too_long');
  assert.equal(problem(() => quote(ask('BTC', '9'.repeat(30), 'get'))).code, 'amount_above_max');
  assert.equal(problem(() => quote({ ...ask('BTC', '1'), to: 'BTC' })).code, 'direction_unknown');
  assert.equal(problem(() => quote({ ...ask('BTC', '1'), from: 'NONE' })).code, 'direction_unknown');
});

test('refuses amounts outside the limits, naming the limit in the currency that was typed', () => {
  const { min, max } = wire(ask('BTC', '0.01'));
  // Fixed costs of 0.00000667 are at most 5 %: 0.0001334. A fee of 0.20 USD at 0.5 %: 0.00044600. Refund: 5 × 2 × 0.000015.
  assert.equal(min, '0.00045000');
  // 1 000 USD at 90 000.
  assert.equal(max, '0.01110000');
  assert.deepEqual(
    problem(() => quote(ask('BTC', '0'))),
    { code: 'amount_below_min', params: { min, currency: 'BTC' } },
  );
  assert.deepEqual(
    problem(() => quote(ask('BTC', '0.00044999'))),
    { code: 'amount_below_min', params: { min, currency: 'BTC' } },
  );
  assert.deepEqual(
    problem(() => quote(ask('BTC', '0.01110001'))),
    { code: 'amount_above_max', params: { max, currency: 'BTC' } },
  );
  const [minimum, maximum] = [wire(ask('BTC', min)).get.amount, wire(ask('BTC', max)).get.amount];
  assert.deepEqual(
    problem(() => quote(ask('BTC', '1.00', 'get'))),
    { code: 'amount_below_min', params: { min: minimum, currency: 'USDT_ERC20' } },
  );
  assert.equal(problem(() => quote(ask('BTC', '5000', 'get'))).params?.['max'], maximum);
  for (const amount of [minimum, maximum]) assert.equal(wire(ask('BTC', amount, 'get')).get.amount, amount);
});

test('min: fixed costs are at most 5 % of it, and a refund must be worth sending', async () => {
  await world.cost('USDT_ERC20', 'ETH', '0.005');
  // 15 USD of gas for the payout: 0.00016667 BTC × 20.
  assert.equal(wire(ask('BTC', '0.01')).min, '0.00340000');
  // In USDT, a refund costs 15, so the smallest refund is 30 and the smallest order 150. Sweeping 22.50 and the payout 1.35, × 20
  // = 477.
  assert.equal(wire(ask('USDT_ERC20', '500')).min, '480.00');
  await world.cost('USDT_ERC20', 'ETH', '0.05');
  assert.equal(reason('USDT_ERC20'), 'costs');
  assert.deepEqual(
    problem(() => quote(ask('USDT_ERC20', '500'))),
    { code: 'direction_closed', params: { reason: 'costs' } },
  );
  await world.cost('USDT_ERC20', 'ETH', '0.0002');
});

test('max: a visitor may take 10 % of a reserve, and the refusal says so', async () => {
  await world.payable('USDT_ERC20', 'USDT', '5000');
  const shown = wire(ask('BTC', '0.001'));
  assert.equal(shown.reserve, '5000.00');
  assert.equal(shown.max, '0.00555000');
  assert.deepEqual(
    problem(() => quote(ask('BTC', '0.01'))),
    {
      code: 'amount_above_reserve',
      params: { max: '500.00', currency: 'USDT_ERC20' },
    },
  );
  assert.equal(quote(ask('BTC', '0.01'), { level: 1 }).breakdown.get.parts > 0n, true, 'who is known may take more');
  await world.payable('USDT_ERC20', 'USDT', '200');
  assert.equal(reason('BTC'), 'reserve');
  await world.payable('USDT_ERC20', 'USDT', '2000000');
});

test('a level has its own largest order', () => {
  assert.equal(quoteWire(quote(ask('BTC', '0.03'), { level: 1 })).max, '0.03330000');
  assert.equal(problem(() => quote(ask('BTC', '0.03'))).code, 'amount_above_max');
});

test('the reserve is the desk’s own free money less 5 %, or what the rail can pay if that is less', async () => {
  assert.equal(format(reserveOf('BTC')), '47.50000000');
  assert.equal(await readReserve(world.db, 'BTC'), 4_750_000_000n);
  await world.payable('BTC', 'BTC', '3.21');
  assert.equal(format(reserveOf('BTC')), '3.21000000');
  assert.equal(await readReserve(world.db, 'BTC'), 321_000_000n);
  await world.payable('BTC', 'BTC', '50');
});

test('the list spread is never below the deviation of 15-minute moves', async () => {
  await world.rates({ BTC: { deviation: '0.7000' } });
  const shown = wire(ask('BTC', '0.01'));
  assert.deepEqual(shown.fees[0], { code: 'fee', amount: '0.00007100', currency: 'BTC', percent: '0.71' });
  assert.equal(directionsWire().directions[0]?.fee_percent, '0.71');
});

test('a calculator in the browser computes the same quote as the server', () => {
  const read = (from: string): PriceTerms => {
    const direction = directionsWire().directions.find((one) => one.from === from);
    const [give, get] = [from, direction?.to].map((code) => currenciesWire().find((one) => one.code === code));
    assert.ok(direction?.terms && give && get);
    const { rate, spread, least_fee, costs, min_margin_percent, min_margin } = direction.terms;
    return {
      giveUnit: give.unit,
      getUnit: get.unit,
      giveDigits: give.pay_precision,
      getDigits: get.pay_precision,
      rate: parseRate(rate.base, rate.quote, rate.value),
      spread: spread.map((step) => ({ from: parse(give.unit, step.from), percent: percent(step.percent) })),
      minFee: parse(give.unit, least_fee),
      costs: costs.map((line) => ({ code: line.code, ...(line.fixed !== undefined && { fixed: parse(give.unit, line.fixed) }) })),
      discounts: [],
      minMargin: { percent: percent(min_margin_percent), min: parse(give.unit, min_margin), afterRewards: fraction(1n, 1n) },
    };
  };
  fc.assert(
    fc.property(fc.constantFrom('BTC', 'USDT_ERC20'), fc.double({ min: 0, max: 1, noNaN: true }), (from, share) => {
      const { min, max } = quoteWire(quote(ask(from, from === 'BTC' ? '0.01' : '900')));
      const terms = read(from);
      const [minimum, maximum] = [parse(terms.giveUnit, min), parse(terms.giveUnit, max)];
      const step = terms.giveDigits === 2 ? 10_000n : 1n;
      const parts =
        minimum.parts + (((maximum.parts - minimum.parts) * BigInt(Math.round(share * 1e6))) / 1_000_000n / step) * step;
      const give = format({ ...minimum, parts: parts as never }, terms.giveDigits);
      const quoted = quote(ask(from, give));
      assert.deepEqual(breakdownForGive(quoted.breakdown.give, terms), quoted.breakdown);
      const back = quote(ask(from, format(quoted.breakdown.get, terms.getDigits), 'get'));
      const found = breakdownForGet(quoted.breakdown.get, terms);
      // Near the smallest amount, one step less may bring as much; the server does not go below its limit.
      assert.deepEqual(back.breakdown, compare(found.give, minimum) < 0 ? breakdownForGive(minimum, terms) : found);
      assert.ok(compare(back.breakdown.give, quoted.breakdown.give) <= 0);
    }),
    { numRuns: 60 },
  );
});

test('the limits shown to an account and for its wallets are those of its quotes', () => {
  const limits = (wallet: 'give' | 'get' | 'both' | undefined, level: 0 | 3): [string, string] => {
    const { min, max } = quoteWire(quote(ask('BTC', '0.01'), { wallet, level }));
    const shown = directionsWire({ from: 'BTC' }, { wallet, level }).directions[0];
    assert.deepEqual([shown?.min, shown?.max], [min, max], `${wallet} ${level}`);
    return [min, max];
  };
  const visitor = limits(undefined, 0);
  for (const wallet of ['give', 'get', 'both'] as const) limits(wallet, 0);
  const costs = (wallet?: 'both') => directionsWire({ from: 'BTC' }, { wallet }).directions[0]?.terms?.costs.length;
  assert.deepEqual([costs('both'), Number(costs()) > 0], [0, true]);
  // A verified customer may exchange more.
  assert.ok(Number(limits(undefined, 3)[1]) > Number(visitor[1]));
});

test('directions, currencies and ways to pay fit the contract', () => {
  const shown = directionsWire();
  assert.ok(routes.directions.output.safeParse(shown).success);
  assert.deepEqual(
    shown.directions.map(({ slug, open, usual_minutes }) => [slug, open, usual_minutes]),
    [
      ['btc-usdt-erc20', true, 23],
      ['usdt-erc20-btc', true, undefined],
    ],
  );
  assert.equal(shown.rates_seeded, true);
  assert.equal(directionsWire({ from: 'BTC' }).directions.length, 1);
  assert.equal(directionsWire({ from: 'BTC', to: 'BTC' }).directions.length, 0);
  assert.ok(routes.currencies.output.safeParse(currenciesWire()).success);
  assert.deepEqual(
    currenciesWire().map(({ code, precision, pay_precision, payer_level }) => [code, precision, pay_precision, payer_level]),
    [
      ['BTC', 8, 8, 0],
      ['USDT_ERC20', 6, 2, 0],
    ],
  );
  assert.ok(routes.gateways.output.safeParse(gatewaysWire()).success);
  assert.deepEqual(
    gatewaysWire('BTC').map(({ id, open }) => [id, open]),
    [['bitcoin', true]],
  );
});

test('makes prices once per snapshot and view', async () => {
  const first = quote(ask('BTC', '0.01')).terms;
  assert.equal(quote(ask('BTC', '0.005')).terms, first);
  await world.rates();
  assert.notEqual(quote(ask('BTC', '0.01')).terms, first);
});

test('the market moved against the desk: by more than 0.3 %, on the side that costs it', () => {
  const [before, less, more, little] = ['90000', '89700', '90300', '89800'].map((value) => parseRate('BTC', 'USDT', value));
  assert.ok(before && less && more && little);
  assert.equal(movedAgainstDesk(before, less, 'BTC'), true, 'what they give is worth less');
  assert.equal(movedAgainstDesk(before, more, 'BTC'), false);
  assert.equal(movedAgainstDesk(before, little, 'BTC'), false);
  assert.equal(movedAgainstDesk(before, more, 'USDT'), true, 'what they get is worth more');
  assert.equal(movedAgainstDesk(before, less, 'USDT'), false);
});

test('measures a move of the market across parity, where the rate is stated the other way round', () => {
  const above = (value: string): Rate => parseRate('USDT', 'USD', value);
  const below = (value: string): Rate => parseRate('USD', 'USDT', value);
  for (const asset of ['USDT', 'USD']) {
    assert.equal(movedAgainstDesk(above('1.00001'), below('1.00001'), asset), false);
    assert.equal(movedAgainstDesk(below('1.00001'), above('1.00001'), asset), false);
  }
  assert.equal(movedAgainstDesk(above('1.002'), below('1.002'), 'USDT'), true, 'what they give is worth less');
  assert.equal(movedAgainstDesk(above('1.002'), below('1.002'), 'USD'), false);
  assert.equal(movedAgainstDesk(below('1.002'), above('1.002'), 'USD'), true);
});

test('a customer’s level changes the largest amount by its limit only', () => {
  const quoted = quote(ask('BTC', '0.2'), { level: 2 });
  assert.equal(format(worthOf(quoted), 2), '18000.00');
  const { give, exchanged, components } = quoted.breakdown;
  assert.equal(give.parts - totalOf(components, 'fee', 'cost'), exchanged.parts);
});

test('converts an amount named in another unit, rounded up, within the same limits', async () => {
  const dollars = (amount: string, from: string, side: 'give' | 'get') =>
    quote(ask(from, amount, side), { pricedIn: 'USD' }).breakdown;
  assert.equal(format(dollars('900', 'BTC', 'give').give), '0.01000000');
  assert.equal(format(dollars('900.01', 'BTC', 'give').give), '0.01000012', '900.01 ÷ 90 000 = 0.010000111…');
  assert.equal(format(dollars('500', 'USDT_ERC20', 'give').give, 2), '500.00');
  assert.ok(dollars('500', 'BTC', 'get').get.parts >= parse('USDT', '500').parts);
  assert.equal(problem(() => dollars('900.001', 'BTC', 'give')).code, 'amount_decimals');
  assert.equal(problem(() => dollars('9000', 'BTC', 'give')).code, 'amount_above_max');
  assert.equal(problem(() => quote(ask('BTC', '900'), { pricedIn: 'DOGE' })).code, 'rates_unavailable', 'nobody prices it');
});
