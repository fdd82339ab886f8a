import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import type { Problem } from '@kurs/contract';
import { accounts, balances, verify } from '../../../ledger/index.ts';
import { fundDesk, paymentsDeps, paymentsWork, useRails } from '../../../payments/index.ts';
import { openMemoryRail } from '../../../payments/memory.ts';
import { type Db, newId } from '../../../platform/index.ts';
import { testDb } from '../../../platform/testing.ts';
import { type PricingWatch, watchPricing } from '../../../pricing/index.ts';
import { type RatesWatch, watchRates } from '../../../rates/index.ts';
import { recordBitcoin } from '../prices.testing.ts';
import { bookUnexplained, clearUnexplained, close, setFuel, setStuck } from './desk-money.ts';
import { addPerson } from '../../people/person.testing.ts';
import type { Person } from '../../people/roles.ts';
import { auditPage } from '../../people/store.ts';
import { auditView, requestsView, reservesView } from '../../views.ts';

const reason = 'counted by hand';
const memory = openMemoryRail({ id: 'bitcoin' });
const ethereum = openMemoryRail({ id: 'evm', currencies: [{ code: 'ETH', unit: 'ETH' }], fuel: 'ETH' });
/** Sender of letters; these tests write to no customer. */
const nobody = undefined as never;
let db: Db;
let drop: () => Promise<void>;
let pricing: PricingWatch;
let rates: RatesWatch;
let ann: Person;
let bob: Person;
let kim: Person;

before(async () => {
  ({ db, drop } = await testDb());
  useRails(new Map([memory, ethereum].map(({ rail }) => [rail.id, rail])));
  [ann, bob, kim] = [await addPerson(db, 'ann'), await addPerson(db, 'bob'), await addPerson(db, 'kim', 'compliance')];
  memory.world.fund('BTC', 'hot', 100_000_000n);
  await db.tx((tx) => fundDesk(tx, { id: newId(), currency: 'BTC', place: 'hot', parts: 100_000_000n }));
  await recordBitcoin(db);
  rates = await watchRates(db);
  pricing = await watchPricing(db);
});
after(async () => {
  await pricing?.stop();
  await rates?.stop();
  await drop();
});

const refuses = (acted: Promise<unknown>, code: string): Promise<void> =>
  assert.rejects(acted, (error: Problem) => error.code === code);

/** Compares the books with the rail. */
async function compare(): Promise<void> {
  const names = new Set(['payments:watch:bitcoin', 'payments:float:bitcoin', 'payments:reconcile']);
  for (const { name, turn } of paymentsWork(paymentsDeps(db))) if (names.has(name)) await turn();
  await pricing.refresh();
}

const shown = async () => (await reservesView(db)).find(({ currency }) => currency === 'BTC');

test('a difference is booked by one operator and cleared by two', async () => {
  memory.world.fund('BTC', 'hot', -2_500n);
  // The rail is polled every two seconds of real time.
  for (let polls = 0; polls < 50 && (await shown())?.places[0]?.difference === undefined; polls += 1) {
    await compare();
    await setTimeout(100);
  }
  assert.equal((await shown())?.places[0]?.difference, '-0.00002500');
  const less = { currency: 'BTC', place: 'hot', side: 'less', amount: '0.000025', reason } as const;
  await refuses(bookUnexplained(db, kim, less), 'forbidden');
  await refuses(bookUnexplained(db, ann, { ...less, side: 'more' }), 'difference_changed');
  assert.equal((await bookUnexplained(db, ann, less, 'once')).status, 'done');
  assert.equal((await bookUnexplained(db, ann, less, 'once')).status, 'done', 'the same call again changes nothing');
  assert.equal((await shown())?.unexplained, '-0.00002500');

  const loss = { currency: 'BTC', amount: '0.000025', to: 'loss', reason } as const;
  await refuses(clearUnexplained(db, nobody, ann, { ...loss, amount: '0.000026' }), 'not_enough_there');
  assert.equal((await clearUnexplained(db, nobody, ann, loss)).status, 'awaiting_second');
  const requests = (await requestsView(db)).map(({ by, action, details }) => [by, action, details]);
  assert.deepEqual(requests, [['ann', 'desk_clear', { amount: '0.000025', to: 'loss' }]], 'what the second person approves');
  await refuses(clearUnexplained(db, nobody, ann, loss), 'same_person');
  await refuses(clearUnexplained(db, nobody, bob, { ...loss, to: 'network' }), 'request_differs');
  assert.equal((await shown())?.unexplained, '-0.00002500', 'one alone clears nothing');
  assert.equal((await clearUnexplained(db, nobody, bob, loss)).status, 'done');
  assert.equal((await shown())?.unexplained, '0.00000000');
});

test('one operator marks stuck money, and the list shows it', async () => {
  const half = { currency: 'BTC', amount: '0.5', back: false, reason };
  await refuses(setStuck(db, kim, half), 'forbidden');
  await refuses(setStuck(db, ann, { ...half, back: true }), 'not_enough_there');
  await setStuck(db, ann, half);
  await compare();
  const now = await shown();
  assert.deepEqual([now?.stuck, now?.payable, now?.reserve], ['0.50000000', '0.00000000', '0.00000000']);
  assert.equal(now?.places[0]?.difference, undefined);
  await setStuck(db, bob, { ...half, back: true });
  assert.equal((await shown())?.stuck, '0.00000000');
});

test('one operator sets gas aside of a coin that is exchanged, once, and of no other', async () => {
  const unit = 10n ** 18n;
  ethereum.world.fund('ETH', 'hot', 5n * unit);
  await db.tx((tx) => fundDesk(tx, { id: newId(), currency: 'ETH', place: 'hot', parts: 5n * unit }));
  const names = new Set(['payments:watch:evm', 'payments:float:evm']);
  for (const { name, turn } of paymentsWork(paymentsDeps(db))) if (names.has(name)) await turn();
  const two = { currency: 'ETH', amount: '2', back: false, reason };
  await refuses(setFuel(db, kim, two), 'forbidden');
  await refuses(setFuel(db, ann, { ...two, currency: 'BTC' }), 'validation');
  await refuses(setFuel(db, ann, { ...two, amount: '5.1' }), 'not_enough_there');
  await setFuel(db, ann, two, 'once');
  await setFuel(db, ann, two, 'once');
  const held = () => balances(db, [accounts.custody('ETH', 'hot', 'ETH'), accounts.custody('ETH', 'fuel', 'ETH')]);
  assert.deepEqual(await held(), [3n * unit, 2n * unit]);
  await setFuel(db, bob, { ...two, amount: '0.5', back: true });
  assert.deepEqual(await held(), [(7n * unit) / 2n, (3n * unit) / 2n]);
});

test('closing the books pays expenses from free money, once', async () => {
  const spent = accounts.spent('loss', 'BTC');
  const free = accounts.deskFree('BTC');
  assert.deepEqual(await balances(db, [spent, free]), [2_500n, 100_000_000n]);
  await refuses(close(db, kim, { reason }), 'forbidden');
  await close(db, bob, { reason }, 'tonight');
  await close(db, bob, { reason }, 'tonight');
  assert.deepEqual(await balances(db, [spent, free]), [0n, 99_997_500n]);
  await refuses(close(db, bob, { reason }), 'nothing_to_close');
  assert.deepEqual((await verify(db)).faults, []);
});

test('every action is a row of the audit, with who and why', async () => {
  const isOfDesk = ({ by }: { readonly by: string }): boolean => by !== 'console';
  const rows = (await auditPage(db, { page: 1, per_page: 40 })).rows.filter(isOfDesk);
  assert.deepEqual(
    rows.toReversed().map(({ by, action, subject, outcome }) => `${by} ${action} ${subject} ${outcome}`),
    [
      'ann desk_difference BTC done',
      'ann desk_clear BTC asked',
      'bob desk_clear BTC done',
      'ann desk_stuck BTC done',
      'bob desk_unstuck BTC done',
      'ann desk_fuel ETH done',
      'bob desk_fuel_back ETH done',
      'bob desk_close desk done',
    ],
  );
  assert.ok(rows.every((row) => row.reason === reason));
  const { data } = await auditView(db, { page: 1, per_page: 40 });
  assert.deepEqual(data.findLast(isOfDesk)?.details, { place: 'hot', side: 'less', amount: '0.000025' });
});
