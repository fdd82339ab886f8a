import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { Problem } from '@kurs/contract';
import { add, format, parse } from '@kurs/money';
import { watchSettings } from '../../platform/index.ts';
import { saveDirection } from '../directions/change-direction.ts';
import { quote } from '../quotes/quote.ts';
import { type RailCostInput, readRailCosts, saveRailCost, seedRailCosts } from './rail-costs.ts';
import { sendingTerms } from '../price/sending-fee.ts';
import { closedNow } from '../price/price-now.ts';
import { directionOf } from './view.ts';
import { directionsWire, quoteWire } from '../quotes/wire.ts';
import { sendingCost } from '../price/ways.ts';
import { type PricedWorld, openPricedWorld } from '../scenarios/world.testing.ts';

let world: PricedWorld;
let settings: { stop(): Promise<void> };

before(async () => {
  world = await openPricedWorld();
  settings = await watchSettings(world.db);
});
after(async () => {
  await settings.stop();
  await world.close();
});
beforeEach(async () => {
  await world.db.run('delete from rail_cost');
  await world.owner.run('delete from rail_cost_history');
  await world.rates();
});

const set = async (input: RailCostInput): Promise<void> => {
  await world.db.tx((tx) => saveRailCost(tx, input, 'test'));
  await world.refresh();
};
const BTC_TO_USDT = { from: 'BTC', to: 'USDT_ERC20', amount: '0.01', side: 'give' } as const;
const fees = () => quoteWire(quote(BTC_TO_USDT)).fees.map(({ code, amount }) => [code, amount]);
const direction = () => directionsWire({ from: 'BTC', to: 'USDT_ERC20' }).directions[0];

test('the price breakdown has a line for each side: payin of the amount given, payout of the amount paid out', async () => {
  await set({ currency: 'BTC', side: 'payin', percent: '1', fixed: '0.00001' });
  await set({ currency: 'USDT_ERC20', side: 'payout', percent: '2', cap: '9' });
  // 0.01 − fee 0.00005 − payin 0.00011 − network 0.6 USD = 0.00000667; of the rest 2/102, capped at 9 USD = 0.0001.
  assert.deepEqual(fees(), [
    ['fee', '0.00005000'],
    ['payin', '0.00011000'],
    ['network', '0.00000667'],
    ['payout', '0.00010000'],
  ]);
  await set({ currency: 'USDT_ERC20', side: 'payout', percent: '2' });
  const { breakdown } = quote(BTC_TO_USDT);
  const payout = breakdown.components.at(-1)?.amount as bigint;
  assert.ok(payout * 100n >= breakdown.exchanged.parts * 2n && (payout - 2n) * 100n < breakdown.exchanged.parts * 2n);
  const published = direction()?.terms?.costs.find(({ code }) => code === 'payout');
  assert.deepEqual(published, { code: 'payout', of: 'got', percent: '2' }, 'a calculator can make the same breakdown');
});

test('a change is a version with its author and is in the view at once; the seed doesn’t overwrite an operator’s value', async () => {
  await set({ currency: 'BTC', side: 'payin', percent: '1' });
  await set({ currency: 'BTC', side: 'payin', percent: '0.5' });
  const history = await world.db.rows<{ version: number; body: { percent: string }; by: string }>(
    'select version, body, by from rail_cost_history order by version',
  );
  assert.deepEqual(
    history.map(({ version, body, by }) => [version, body.percent, by]),
    [
      [1, '1', 'test'],
      [2, '0.5', 'test'],
    ],
  );
  assert.equal(quote(BTC_TO_USDT).rails.payin?.version, 2);
  await world.db.tx((tx) => seedRailCosts(tx, [{ currency: 'BTC', side: 'payin', percent: '9' }]));
  assert.equal((await readRailCosts(world.db))[0]?.percent, '0.5');
});

test('fixed costs of either side raise the minimum to twenty times, and close a direction that can’t bear them', async () => {
  const min = () => parse('BTC', direction()?.min ?? '0').parts;
  const usual = min();
  // 18 USD of a payment in: 0.0002 BTC, so at least 0.004. The networks' own costs come on top.
  await set({ currency: 'BTC', side: 'payin', fixed: '0.0002' });
  assert.ok(min() >= 400_000n && min() > usual, String(min()));
  await set({ currency: 'BTC', side: 'payin' });
  assert.equal(min(), usual);
  await set({ currency: 'USDT_ERC20', side: 'payout', min: '18' });
  assert.ok(min() >= 400_000n, 'the least of a payout is a fixed cost too');
  await set({ currency: 'USDT_ERC20', side: 'payout', fixed: '60' });
  assert.equal(closedNow(directionOf('BTC', 'USDT_ERC20')), 'costs', '1200 USD are more than a visitor may exchange');
});

test('the cost of sending to the customer’s own account replaces the usual cost, and may close the direction', async () => {
  const usual = quote(BTC_TO_USDT);
  const sending = (fuel: string) => ({ sending: { fuel: 'ETH', parts: parse('ETH', fuel).parts } });
  const double = quote(BTC_TO_USDT, sending('0.0004'));
  const line = (one: typeof usual) => one.breakdown.components.find(({ code }) => code === 'network')?.amount;
  assert.deepEqual([line(usual), line(double)], [667n, 1_334n]);
  assert.deepEqual(line(quote(BTC_TO_USDT)), 667n, 'for nobody else');
  assert.throws(
    () => quote(BTC_TO_USDT, sending('0.03')),
    (error: Problem) => error.code === 'direction_closed' && error.details.params?.['reason'] === 'costs',
  );
});

test('a provider has its own line and no network line', async () => {
  const pair = { from: 'BTC', to: 'PAYEER_USD' };
  const spread = [{ from: '0', percent: '1.5' }];
  await world.db.tx((tx) => saveDirection(tx, { slug: 'btc-payeer', ...pair, spread, isOn: false, position: 50 }, 'test'));
  await world.cost('PAYEER_USD', 'PAYEER_USD', '1');
  const codes = () => directionsWire(pair).directions[0]?.terms?.costs.map(({ code }) => code);
  assert.deepEqual(codes(), []);
  await set({ currency: 'PAYEER_USD', side: 'payout', percent: '0.95' });
  assert.deepEqual(codes(), ['payout']);
});

test('refuses an impossible line on its field', async () => {
  for (const [input, field] of [
    [{ currency: 'NONE', side: 'payin', percent: '1' }, 'currency'],
    [{ currency: 'BTC', side: 'payin', percent: '-1' }, 'cost'],
    [{ currency: 'BTC', side: 'payin', percent: '100' }, 'cost'],
    [{ currency: 'BTC', side: 'payin', fixed: '0.000000001' }, 'fixed'],
  ] as const) {
    await assert.rejects(set(input), (error) => error instanceof Problem && field in (error.details.errors ?? {}), field);
  }
});

test('the stated cost of leaving a wallet is the cost that is taken', async () => {
  const reported = () => sendingCost('BTC');
  const before = reported();
  const sum = parse('BTC', '0.5');
  assert.equal(before?.network, format(sendingTerms('BTC', sum)?.fee as typeof sum));
  await set({ currency: 'BTC', side: 'payout', percent: '1', fixed: '0.0001' });
  assert.deepEqual(reported(), { network: before?.network, percent: '1', fixed: '0.0001' });
  const taken = sendingTerms('BTC', sum)?.fee as typeof sum;
  const line = parse('BTC', '0.0051');
  assert.equal(format(taken), format(add(parse('BTC', before?.network as string), line)));
});
