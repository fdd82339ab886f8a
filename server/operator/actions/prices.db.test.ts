import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Output, Problem, routes } from '@kurs/contract';
import { type World, openWorld } from '../../exchange/testing.ts';
import { type SettingsWatch, putSetting, watchSettings } from '../../platform/index.ts';
import { addPerson } from '../people/person.testing.ts';
import { changePrices, peg } from './prices.ts';
import type { Person } from '../people/roles.ts';
import { auditView } from '../views.ts';

let world: World;
let settings: SettingsWatch;
let ann: Person;
let bob: Person;

before(async () => {
  world = await openWorld();
  settings = await watchSettings(world.db);
  [ann, bob] = [await addPerson(world.db, 'ann'), await addPerson(world.db, 'bob')];
});
after(async () => {
  await settings.stop();
  await world.close();
});

const reason = 'the market asks for it';
type Given = Parameters<typeof changePrices>[2];
const change = async (input: Partial<Given>, person = ann): Promise<Output<(typeof routes)['operatorPrices']>> => {
  const answer = await changePrices(world.db, person, { apply: false, ...input });
  await world.pass(0);
  return routes.operatorPrices.output.parse(answer);
};
const spread = (percent: string) => ({ direction: { slug: 'btc-usdt-erc20', spread: [{ from: '0', percent }] } });
const problemOf = async (acted: Promise<unknown>): Promise<string[]> => {
  const error = await acted.then(
    () => assert.fail('was not refused'),
    (refused: unknown) => refused,
  );
  assert.ok(error instanceof Problem, String(error));
  return [error.code, ...Object.keys(error.details.errors ?? {})];
};
const versions = async () =>
  (await world.db.row<{ count: number }>('select count(*)::int as count from direction_history'))?.count;

test('a preview shows old and new beside each other and changes nothing', async () => {
  const before = await versions();
  await world.calculate();
  await world.place();
  const { status, people, cycle, directions } = await change(spread('2'));
  assert.deepEqual([status, people, cycle, directions.length], ['preview', 1, undefined, 1]);
  const [one] = directions;
  assert.deepEqual([one?.held_quotes, one?.open_orders], [1, 1], 'they keep what they have');
  for (const { give, before: was, after: will, keeps, floor } of one?.quotes ?? []) {
    assert.ok(was !== undefined && will !== undefined && Number(will) < Number(was), give);
    assert.ok(floor && Number(keeps) >= Number(give) * 0.0099, 'half of 2 % stays whatever the discounts');
  }
  assert.ok((one?.quotes.length ?? 0) >= 3);
  assert.equal(await versions(), before);
});

test('the same input goes live with a reason, in the audit and with a version', async () => {
  assert.deepEqual(await problemOf(change({ ...spread('0.6'), apply: true })), ['validation', 'reason']);
  const { status, directions } = await change({ ...spread('0.6'), apply: true, reason });
  assert.equal(status, 'done');
  const sample = directions[0]?.quotes[1];
  const again = await change(spread('0.6'));
  assert.deepEqual(
    again.directions[0]?.quotes.map((quote) => quote.before),
    again.directions[0]?.quotes.map((quote) => quote.after),
    'it is live',
  );
  assert.equal(again.directions[0]?.quotes[1]?.after, sample?.after, 'as it was shown');
  const [row] = (await auditView(world.db, { page: 1, per_page: 10 })).data;
  assert.deepEqual([row?.action, row?.subject, row?.by, row?.reason], ['prices', 'btc-usdt-erc20', 'ann', reason]);
});

test('giving customers much more takes two people with the same change of the same prices', async () => {
  await change({ ...spread('5'), apply: true, reason });
  const large = { ...spread('0.5'), apply: true, reason };
  const first = await change(large);
  assert.deepEqual([first.status, first.people], ['awaiting_second', 2]);
  assert.deepEqual(await problemOf(change(large)), ['same_person']);
  assert.deepEqual(await problemOf(change({ ...large, ...spread('0.4') }, bob)), ['request_differs']);
  assert.equal((await change(large, bob)).status, 'done');
  // A request about prices that have changed since is void.
  await change({ ...spread('5'), apply: true, reason });
  assert.equal((await change(large)).status, 'awaiting_second');
  await change({ ...spread('4.5'), apply: true, reason });
  assert.equal((await change(large, bob)).status, 'awaiting_second');
  await change(large);
});

test('a cost line is shown for every direction that it touches, on its side', async () => {
  const cost = { currency: 'USDT_ERC20', side: 'payout', percent: '2' } as const;
  const { directions } = await change({ cost });
  assert.deepEqual(
    directions.map(({ slug }) => slug),
    ['btc-usdt-erc20'],
  );
  const back = await change({ cost: { ...cost, side: 'payin' } });
  assert.deepEqual(
    back.directions.map(({ slug }) => slug),
    ['usdt-erc20-btc'],
  );
  assert.equal((await change({ cost, apply: true, reason })).status, 'done');
  const large = { cost: { currency: 'USDT_ERC20', side: 'payout' }, apply: true, reason } as const;
  assert.equal((await change(large)).people, 2, 'taking 2 % less');
  assert.equal((await change(large, bob)).status, 'done');
});

test('a table in which a cycle gains is named before it can go live', async () => {
  await world.db.tx((tx) => putSetting(tx, 'pricing.min_margin_percent', '0', 'test'));
  await settings.refresh();
  await world.db.run(`update direction set spread = '[{"from":"0","percent":"0"}]' where slug = 'usdt-erc20-btc'`);
  await world.pass(0);
  const { cycle } = await change(spread('0'));
  assert.deepEqual(new Set(cycle), new Set(['BTC', 'USDT']));
  assert.deepEqual(await problemOf(change({ ...spread('0'), apply: true, reason })), ['validation', 'spread']);
});

test('refuses impossible values at their fields', async () => {
  assert.deepEqual(await problemOf(change({})), ['validation', 'direction']);
  assert.deepEqual(await problemOf(change({ direction: { slug: 'nowhere' } })), ['direction_unknown']);
  const min = { slug: 'btc-usdt-erc20', min: '0.123456789' };
  assert.deepEqual(await problemOf(change({ direction: min })), ['validation', 'min']);
  const moved = { slug: 'btc-usdt-erc20', from: 'USDT_ERC20', to: 'BTC' };
  assert.deepEqual(await problemOf(change({ direction: moved })), ['validation', 'to']);
});

test('an asset without a market gets a price for a while; the first one and a jump take two people', async () => {
  const { db } = world;
  await db.run(`insert into rate_asset (code, kind, symbols) values ('RUB', 'other', '{}')`);
  await db.run(`update rate_asset set symbols = '{"kraken":"XXBTZUSD"}' where code = 'BTC'`);
  const hours = async (n: number) => new Date((await db.now()).getTime() + n * 3_600_000).toISOString();
  const say = async (usd: string, person = ann, asset = 'RUB', n = 24) =>
    peg(db, person, { asset, usd, until: await hours(n).then((at) => `${at.slice(0, 11)}23:00:00Z`), reason });
  assert.equal((await say('0.0125')).status, 'awaiting_second');
  assert.equal((await say('0.0125', bob)).status, 'done');
  assert.equal((await say('0.0128')).status, 'done', 'by less than 3 %');
  assert.equal((await say('0.02')).status, 'awaiting_second');
  assert.deepEqual(await problemOf(say('0.0125', ann, 'BTC')), ['validation', 'asset']);
  assert.deepEqual(await problemOf(say('0.0125', ann, 'USD')), ['validation', 'asset']);
  assert.deepEqual(await problemOf(say('0.0125', ann, 'RUB', 24 * 9)), ['validation', 'until']);
  assert.deepEqual(await problemOf(say('0.00')), ['validation', 'usd']);
});
