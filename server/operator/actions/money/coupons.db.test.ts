// Making and stopping coupons: the number of people depends on the possible cost.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Input, type Problem, type Routes, routes } from '@kurs/contract';
import { parse } from '@kurs/money';
import { alone } from '../../../collecting/index.ts';
import { accounts, balance, leg } from '../../../ledger/index.ts';
import { newId } from '../../../platform/index.ts';
import { fundPot } from '../../../pots/index.ts';
import { type PricedWorld, openPricedWorld } from '../../../pricing/testing.ts';
import { addPerson } from '../../people/person.testing.ts';
import type { Person } from '../../people/roles.ts';
import { couponsView, newCoupons, stopCouponBy } from './coupons.ts';

const reason = 'for the spring';
const usd = (amount: string) => parse('USDT', amount).parts;
let world: PricedWorld;
let ann: Person;
let bob: Person;

before(async () => {
  world = await openPricedWorld();
  [ann, bob] = [await addPerson(world.db, 'ann'), await addPerson(world.db, 'bob')];
  await alone(world.db, async (unit) => {
    const legs = [leg(accounts.custody('USDT_ERC20', 'hot', 'USDT'), accounts.deskFree('USDT'), usd('5000'))];
    unit.post({ id: newId(), kind: 'capital_in', cause: newId(), legs });
    unit.post(await fundPot(unit.tx, { id: newId(), pot: 'late', parts: usd('3000'), isBack: false }));
  });
});
after(() => world.close());

const make = (
  person: Person,
  input: Omit<Input<Routes['operatorCouponNew']>, 'reason' | 'uses' | 'per_customer' | 'first_order'> & { uses?: number },
) => newCoupons(world.db, person, routes.operatorCouponNew.input.parse({ ...input, reason }));
const refuses = (work: Promise<unknown>, code: string): Promise<void> =>
  assert.rejects(work, (error: Problem) => error.code === code);

test('the last of eleven coupons of 99 each by one person in a day takes two people', async () => {
  for (let n = 1; n <= 10; n += 1)
    assert.equal((await make(ann, { code: `SPRING-${n}`, percent: '40', most_usd: '99' })).status, 'done');
  const eleventh = { code: 'SPRING-11', percent: '40', most_usd: '99' };
  assert.equal((await make(ann, eleventh)).status, 'awaiting_second');
  await refuses(make(ann, eleventh), 'same_person');
  assert.deepEqual((await make(bob, eleventh)).codes, ['SPRING-11']);
  assert.equal(
    (await make(bob, { code: 'OF-BOB', percent: '40', most_usd: '99' })).status,
    'done',
    'another counts by themselves',
  );
});

test('coupons that one person makes concurrently count together', async () => {
  const eve = await addPerson(world.db, 'eve');
  const made = await Promise.all([1, 2, 3].map((n) => make(eve, { code: `AT-ONCE-${n}`, percent: '40', most_usd: '600' })));
  assert.deepEqual(made.map(({ status }) => status).toSorted(), ['awaiting_second', 'awaiting_second', 'done']);
});

test('a code is made and stopped as it was copied; one of letters that codes don’t have is refused', async () => {
  const gus = await addPerson(world.db, 'gus');
  assert.deepEqual((await make(gus, { code: '“May–2”', percent: '40', most_usd: '9' })).codes, ['MAY-2']);
  await refuses(make(gus, { code: 'МАУ-З', percent: '40', most_usd: '9' }), 'validation');
  await stopCouponBy(world.db, gus, { code: 'МАУ—2.', reason });
  assert.deepEqual(
    (await couponsView(world.db, { state: 'stopped' })).map(({ code }) => code),
    ['MAY-2'],
  );
});

test('a batch has random codes of its own; a code is taken once', async () => {
  const { codes } = await make(bob, { percent: '10', most_usd: '1', batch: 20 });
  assert.equal(new Set(codes).size, 20);
  for (const code of codes) assert.match(code, /^[0-9A-HJKMNP-TV-Z]{10}$/);
  await refuses(make(bob, { code: 'of-bob', percent: '40', most_usd: '99' }), 'coupon_taken');
});

test('a fixed one is set aside from the pot, which keeps what is for late orders; stopped, it goes back', async () => {
  const pot = () => balance(world.db, accounts.promo('late', 'USDT'));
  await make(bob, { code: 'GIFT', value: '20', uses: 5 });
  assert.equal(await pot(), usd('2900'));
  assert.equal((await make(bob, { code: 'TOO-MUCH', value: '2500' })).status, 'awaiting_second');
  await refuses(make(ann, { code: 'TOO-MUCH', value: '2500' }), 'pot_too_small');
  assert.equal((await stopCouponBy(world.db, ann, { code: 'gift', reason })).status, 'done');
  assert.equal(await pot(), usd('3000'));
  await refuses(stopCouponBy(world.db, ann, { code: 'gift', reason }), 'coupon_over');
  await refuses(stopCouponBy(world.db, ann, { code: 'nobodys', reason }), 'coupon_unknown');
  const [gift] = (await couponsView(world.db, { state: 'stopped' })).map(({ code, left, made_by: by }) => [code, left, by]);
  assert.deepEqual(gift, ['GIFT', '0.00', ['bob']]);
});

test('a coupon has a percentage or a sum; its maximum cost has a default', async () => {
  await refuses(make(ann, { code: 'NEITHER' }), 'validation');
  await refuses(make(ann, { code: 'BOTH', percent: '1', value: '1' }), 'validation');
  await refuses(make(ann, { code: 'NOWHERE', percent: '1', directions: ['no-such'] }), 'direction_unknown');
  await make(bob, { code: 'USUAL', percent: '50', uses: 2 });
  const usual = (await couponsView(world.db, {})).find(({ code }) => code === 'USUAL');
  assert.ok(Number(usual?.max) > 0, JSON.stringify(usual));
});

test('coupons that make no sense are refused at their field', async () => {
  const now = (await world.db.now()).getTime();
  const at = (minutes: number): string => new Date(now + minutes * 60_000).toISOString();
  const wrong = async (input: Partial<Input<Routes['operatorCouponNew']>>): Promise<string[]> => {
    const whole = { code: 'SENSELESS', uses: 3, per_customer: 1, first_order: false, reason, ...input };
    const read = routes.operatorCouponNew.input.safeParse(whole);
    if (!read.success) return read.error.issues.map(({ path }) => path.join('.'));
    return newCoupons(world.db, ann, read.data).then(
      () => ['made'],
      ({ code, details }: Problem) => [...(code === 'validation' ? [] : [code]), ...Object.keys(details.errors ?? {})],
    );
  };
  const percent = { percent: '40', most_usd: '9' };
  for (const [input, field] of [
    [{ percent: '0', most_usd: '9' }, 'percent'],
    [{ percent: '0.00', most_usd: '9' }, 'percent'],
    [{ percent: '100.99', most_usd: '9' }, 'percent'],
    [{ percent: '100.01', most_usd: '9' }, 'percent'],
    [{ percent: '101', most_usd: '9' }, 'percent'],
    [{ value: '0' }, 'value'],
    [{ value: '0.00' }, 'value'],
    [{ value: '0.0000001' }, 'value'],
    [{ value: '0.009999' }, 'value'],
    [{ ...percent, most_usd: '0' }, 'most_usd'],
    [{ ...percent, most_usd: '0.009' }, 'most_usd'],
    [{ ...percent, most_usd: '0.0000001' }, 'most_usd'],
    [{ ...percent, least_usd: '0.0000001' }, 'least_usd'],
    [{ ...percent, until: at(-1) }, 'until'],
    [{ ...percent, until: at(0) }, 'until'],
    [{ ...percent, from: at(20), until: at(10) }, 'until'],
    [{ ...percent, from: at(20), until: at(20) }, 'until'],
    [{ ...percent, from: '0001-01-01T00:00:00Z' }, 'from'],
    [{ ...percent, until: '9999-01-01T00:00:00Z' }, 'until'],
    [{ ...percent, per_customer: 4 }, 'per_customer'],
    [{ ...percent, uses: 1, per_customer: 2 }, 'per_customer'],
    [{ ...percent, directions: [] }, 'directions'],
  ] as const)
    assert.deepEqual(await wrong(input as object), [field], JSON.stringify(input));
  for (const [n, input] of [
    { percent: '100.00', most_usd: '9' },
    { percent: '0.01', most_usd: '0.01' },
    { value: '0.01', uses: 3, per_customer: 3 },
    { ...percent, from: at(-20), until: at(1), least_usd: '0' },
  ].entries())
    assert.deepEqual(await wrong({ ...input, code: `SENSE-${n}` }), ['made'], JSON.stringify(input));
});
