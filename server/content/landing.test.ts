import assert from 'node:assert/strict';
import { test } from 'node:test';
import { routes } from '@kurs/contract';
import { type Directions, landingOf } from './landing.ts';

const direction = (from: string, to: string, open = true): Directions['directions'][number] => ({
  from,
  to,
  slug: `${from}-${to}`.toLowerCase(),
  open,
  ...(!open && { reason: 'rates' }),
  fee_percent: '0.5',
  min: '40.00',
  max: '1000.00',
  reserve: `1${to.length}.00`,
});
const input = (directions: Directions['directions'], rates_at?: string) => ({
  hero: { from: 'BTC', to: 'USDT_ERC20', amount: '0.01' },
  shown: { directions, rates_seeded: true, ...(rates_at !== undefined && { rates_at }) },
  latest: [],
  figures: {},
  lockMinutes: 15,
  quoteMinutes: 3,
});

test('the calculator begins with the operator’s pair, or with one that is open', () => {
  const offered = landingOf(input([direction('USDT_ERC20', 'BTC'), direction('BTC', 'USDT_ERC20', false)]));
  assert.deepEqual(offered.hero, { from: 'BTC', to: 'USDT_ERC20', amount: '0.01' });
  const other = landingOf(input([direction('ETH', 'BTC', false), direction('USDT_ERC20', 'BTC')]));
  assert.deepEqual(other.hero, { from: 'USDT_ERC20', to: 'BTC', amount: '40.00' });
  assert.equal(landingOf(input([])).hero.from, 'BTC');
});

test('a reserve stands once per currency, and what nobody has written yet is absent', () => {
  const landing = landingOf(
    input([direction('BTC', 'USDT_ERC20'), direction('ETH', 'USDT_ERC20'), direction('ETH', 'BTC')], '2026-01-01T00:00:00.000Z'),
  );
  assert.deepEqual(landing.reserves, [
    { currency: 'USDT_ERC20', amount: '110.00' },
    { currency: 'BTC', amount: '13.00' },
  ]);
  assert.deepEqual([landing.reviews, landing.latest_orders, landing.figures], [[], [], {}]);
  assert.ok(routes.landing.output.safeParse(landing).success);
});
