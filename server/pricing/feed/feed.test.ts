import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type CostLine,
  type PriceTerms,
  fraction,
  money,
  parse,
  parseRate,
  percent,
  roundTo,
  breakdownForGive,
} from '@kurs/money';
import fc from 'fast-check';
import { type FeedItem, allInRate } from './feed.ts';
import { feedJson, feedText, feedXml } from './feed-formats.ts';
import { compareFractions } from '../directions/share.ts';

const DIGITS = { BTC: 8, USDT: 2 } as const;
const percents = fc.integer({ min: 0, max: 600 }).map((hundredths) => percent((hundredths / 100).toFixed(2)));

/**
 * Generates terms of any kind: both ways, one to three steps that may rise or fall, costs with every field that a line can have.
 */
const anyTerms: fc.Arbitrary<PriceTerms> = fc
  .record({
    give: fc.constantFrom('BTC' as const, 'USDT' as const),
    rate: fc.integer({ min: 900_000, max: 12_000_000 }),
    steps: fc.array(percents, { minLength: 1, maxLength: 3 }),
    lines: fc.array(fc.record({ percent: percents, fixed: fc.nat(300), min: fc.nat(300), cap: fc.nat(900), parts: fc.nat(15) }), {
      maxLength: 3,
    }),
  })
  .map(({ give, rate, steps, lines }) => {
    const usd = (cents: number) => (give === 'USDT' ? money(give, BigInt(cents) * 10_000n) : money(give, BigInt(cents) * 12n));
    const costs = lines.map(({ parts, ...line }): CostLine => ({
      code: 'cost',
      ...(parts & 8 && { of: 'got' as const }),
      ...(parts & 1 && { percent: line.percent }),
      fixed: usd(line.fixed),
      ...(parts & 2 && { min: usd(line.min) }),
      ...(parts & 4 && { cap: usd(line.cap + line.fixed) }),
    }));
    return {
      giveUnit: give,
      getUnit: give === 'BTC' ? 'USDT' : 'BTC',
      giveDigits: DIGITS[give],
      getDigits: DIGITS[give === 'BTC' ? 'USDT' : 'BTC'],
      rate: parseRate('BTC', 'USDT', (rate / 100).toFixed(2)),
      spread: steps.map((share, at) => ({ from: usd(at * 20_000), percent: share })),
      minFee: usd(20),
      costs,
      discounts: [],
      minMargin: { percent: percent('0.1'), min: usd(10), afterRewards: fraction(1n, 1n) },
    };
  });

test('no amount between min and max brings less than the all-in rate says', () => {
  fc.assert(
    fc.property(anyTerms, fc.integer({ min: 0, max: 1_000_000 }), (terms, share) => {
      const scale = terms.giveUnit === 'BTC' ? 100_000_000n : 1_000_000n;
      const [min, max] = terms.giveUnit === 'BTC' ? ['0.0006', '0.011'] : ['51', '1000'];
      const [minimum, maximum] = [parse(terms.giveUnit, min as string), parse(terms.giveUnit, max as string)];
      const found = allInRate(terms, minimum, maximum);
      if (!found) return;
      const between = minimum.parts + ((maximum.parts - minimum.parts) * BigInt(share)) / 1_000_000n;
      for (const parts of [minimum.parts, between, maximum.parts]) {
        const give = roundTo(money(terms.giveUnit, parts), terms.giveDigits, 'down');
        const { get } = breakdownForGive(give, terms);
        const real = fraction(get.parts * scale, give.parts * (scale === 1_000_000n ? 100_000_000n : 1_000_000n));
        assert.ok(compareFractions(found, real) <= 0);
      }
    }),
    { numRuns: 2_000 },
  );
});

test('the all-in rate is near what the smallest amount brings, and nothing is listed that costs eat', () => {
  const terms: PriceTerms = {
    giveUnit: 'USDT',
    getUnit: 'BTC',
    giveDigits: 2,
    getDigits: 8,
    rate: parseRate('BTC', 'USDT', '90000'),
    spread: [{ from: parse('USDT', '0'), percent: percent('0.5') }],
    minFee: parse('USDT', '0.2'),
    costs: [{ code: 'network', fixed: parse('USDT', '1.74') }],
    discounts: [],
    minMargin: { percent: percent('0.1'), min: parse('USDT', '0.1'), afterRewards: fraction(1n, 1n) },
  };
  // 50 − 0.25 − 1.74 = 48.01, less a cent for rounding: 48.00 ÷ 90 000 = 0.00053333, less a satoshi, ÷ 50.
  const found = allInRate(terms, parse('USDT', '50'), parse('USDT', '1000'));
  assert.deepEqual(found, fraction(53_332n, 5_000_000_000n));
  const eaten = { ...terms, costs: [{ code: 'network', fixed: parse('USDT', '60') }] };
  assert.equal(allInRate(eaten, parse('USDT', '50'), parse('USDT', '1000')), undefined);
});

const decimals = fc.integer({ min: 1, max: 10 ** 9 }).map((parts) => (parts / 10_000).toFixed(4));
const items: fc.Arbitrary<FeedItem[]> = fc
  .uniqueArray(
    fc.record(
      {
        from: fc.constantFrom('BTC', 'USDTERC20', 'PPUSD', 'WMZ'),
        to: fc.constantFrom('BTC', 'USDTERC20', 'PPUSD', 'WMZ'),
        rate: fc.tuple(fc.boolean(), decimals),
        amount: decimals,
        min: decimals,
        max: decimals,
        fixedMinutes: fc.constant(15),
        delay: fc.nat(500),
        isManual: fc.boolean(),
        isReversible: fc.boolean(),
      },
      { requiredKeys: ['from', 'to', 'rate', 'amount', 'min', 'max', 'fixedMinutes', 'isManual', 'isReversible'] },
    ),
    { selector: ({ from, to }) => `${from} ${to}` },
  )
  .map((rows) =>
    rows.map(({ rate: [large, one], ...row }) => ({ ...row, ...(large ? { in: '1', out: one } : { in: one, out: '1' }) })),
  );

/** Parses a feed's XML and fails if it is not well-formed: tags in pairs, quoted attributes, plain text. */
function readXml(text: string): { name: string; attributes: Record<string, string>; text: string }[] {
  const [head = '', ...rest] = text.split('\n');
  assert.equal(head, '<?xml version="1.0" encoding="UTF-8"?>');
  const open: string[] = [];
  const found: ReturnType<typeof readXml> = [];
  let at = 0;
  const body = rest.join('\n');
  for (const match of body.matchAll(/<(\/?)([a-z]+)((?: [a-zA-Z:]+="[^"<&]*")*)(\/?)>/g)) {
    const between = body.slice(at, match.index);
    assert.doesNotMatch(between, /[<>&]/);
    const [whole, closes, name = '', attributes = '', empty] = match;
    if (closes) {
      assert.equal(open.pop(), name);
      const own = found.findLast((one) => one.name === name);
      if (own && between.trim() !== '') own.text = between;
    } else {
      assert.equal(between.trim(), '');
      const pairs = [...attributes.matchAll(/ ([a-zA-Z:]+)="([^"]*)"/g)].map(([, key, value]) => [key, value]);
      found.push({ name, attributes: Object.fromEntries(pairs) as Record<string, string>, text: '' });
      if (!empty) open.push(name);
    }
    at = match.index + whole.length;
  }
  assert.deepEqual([open, body.slice(at)], [[], '\n']);
  return found;
}

/** Returns the items of an XML feed as fields by name; `floating` has the minutes of the floating rate. */
function xmlItems(text: string): Record<string, string>[] {
  const rows: Record<string, string>[] = [];
  for (const { name, attributes, text: value } of readXml(text).slice(1)) {
    if (name === 'item') rows.push({});
    else Object.assign(rows.at(-1) as object, { [name]: attributes['minutes'] ?? value });
  }
  return rows;
}

test('XML is well-formed and has all fields of each direction, with the limits under both names', () => {
  fc.assert(
    fc.property(items, (list) => {
      const read = xmlItems(feedXml(list));
      assert.deepEqual(
        read,
        list.map(({ fixedMinutes, delay, isManual, isReversible, ...item }) => ({
          from: item.from,
          to: item.to,
          in: item.in,
          out: item.out,
          amount: item.amount,
          frommin: item.min,
          frommax: item.max,
          ...(isManual && { manual: 'true' }),
          ...(isReversible && { verifying: 'true', hold: 'true' }),
          minamount: item.min,
          maxamount: item.max,
          floating: String(fixedMinutes),
          ...(delay !== undefined && { delay: String(delay) }),
        })),
      );
    }),
  );
});

test('TXT and JSON have the same content as XML', () => {
  fc.assert(
    fc.property(items, (list) => {
      const lines = feedText(list).split('\n').slice(0, -1);
      assert.deepEqual(
        lines,
        xmlItems(feedXml(list)).map((one) => `${one['from']};${one['to']};${one['in']};${one['out']};${one['amount']};;`),
      );
      const json = feedJson(list);
      const { version, currencies, exchange } = JSON.parse(json) as {
        version: string;
        currencies: { list: Record<string, string> };
        exchange: Record<
          string,
          { to: Record<string, { xr: number; min: number; max: number; options?: { manual?: 1; ident?: 1 } }> }
        >;
      };
      assert.equal(version, '1.3');
      const pairs = Object.entries(exchange).flatMap(([from, { to }]) =>
        Object.entries(to).map(([other, one]) => ({ from: currencies.list[from], to: currencies.list[other], ...one })),
      );
      assert.equal(pairs.length, list.length);
      for (const item of list) {
        const found = pairs.find(({ from, to }) => from === item.from && to === item.to);
        assert.ok(
          found &&
            found.min === +item.min &&
            found.max === +item.max &&
            found.options?.manual === (item.isManual ? 1 : undefined),
        );
        assert.equal(found.options?.ident, item.isReversible ? 1 : undefined);
        assert.equal(found.xr, item.out === '1' ? +item.in : -item.out);
        // Compared as text, since a number would lose digits.
        assert.ok(json.includes(`"min":${item.min},"max":${item.max}`));
      }
    }),
  );
});

test('the feed of a closed desk is empty', () => {
  assert.deepEqual(xmlItems(feedXml([])), []);
  assert.equal(feedText([]), '');
  assert.deepEqual(JSON.parse(feedJson([])), { version: '1.3', currencies: { list: {}, amounts: {} }, exchange: {} });
});
