// Courses of an invoice by which the exploration found a fault, each alone.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { creditedOf, pendingOf } from '../invoices/invoice.ts';
import { SUMS, faultOf } from './invoice-faults.testing.ts';
import { type Coin, type Start, USD_IN } from './invoice-terms.testing.ts';
import { World } from './invoice-world.testing.ts';

const START: Start = { amount: 10_000n, tolerance: 0, isBorneByStore: false, free: 1_000n };

/** Returns an invoice whose buyer has chosen bitcoin. */
function chosen(more: Partial<Start> = {}): World {
  const world = new World({ ...START, ...more });
  world.choose('BTC');
  return world;
}

function pay(world: World, id: string, usd: bigint, coin: Coin = 'BTC'): void {
  world.model.appear(id, coin, usd * USD_IN[coin], world.now);
  world.see(id);
}

const mustFollowTheRules = (world: World): void => assert.equal(faultOf(world, SUMS), undefined);

test('a payment made before its option was chosen has no locked rate', () => {
  const world = chosen();
  world.now = 1;
  pay(world, 'late', 51n);
  world.drop('late');
  world.now = 2;
  world.choose('BTC');
  world.see('late');
  assert.equal(pendingOf(world.invoice), 0n);
  mustFollowTheRules(world);
});

test('a payment of which only a crumb has the locked rate is credited at the current one', () => {
  const world = chosen();
  pay(world, 'first', 51n);
  world.arrive('first');
  world.choose('BTC');
  world.reverse('first', 51n);
  pay(world, 'second', 51n);
  // One satoshi of it has a locked rate: less than brings a cent.
  world.comeAgain('first', 51n);
  assert.equal(creditedOf(world.invoice), 2_500n);
  mustFollowTheRules(world);
});

test('a payment of the shown amount pays, whatever is seen after it', () => {
  const world = chosen();
  pay(world, 'exact', 102n);
  pay(world, 'more', 51n);
  world.arrive('exact');
  assert.equal(world.invoice.state, 'settled');
  mustFollowTheRules(world);
});

test('a payment below the smallest one has no reserve', () => {
  const world = chosen();
  pay(world, 'dust', 3n);
  assert.equal(world.invoice.payments[0]?.reserve, 0n);
  mustFollowTheRules(world);
});

test('payments that waited for a price take no more together than the desk has', () => {
  const world = chosen({ free: 60n });
  world.hasPrice = false;
  world.now = 1;
  for (const id of ['a', 'b', 'c']) {
    pay(world, id, 51n);
    world.arrive(id);
  }
  world.hasPrice = true;
  world.timer('price');
  // 25 USD each: the desk has money for two, and the store gets the third payment's coin.
  assert.deepEqual(
    world.invoice.payments.map(({ isInKind }) => isInKind),
    [false, false, true],
  );
  mustFollowTheRules(world);
});
