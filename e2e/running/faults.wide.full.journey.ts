// Completes hundreds of orders in every direction while each rail loses replies, repeats messages and hangs. All orders must come
// to rest, nobody may be paid twice, and the ledger must equal the rails.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from '@kurs/contract/client';
import { type Order, look } from '../customers/customer.ts';
import { deskOf } from '../harness/desk.ts';
import { type AnyOrder, faultOf, openDirections, orderAndPay, together } from '../customers/order-any.ts';
import { patiently } from '../customers/patience.ts';
import { type System, startSystem, until } from '../harness/system.ts';

let system: System;
before(async () => {
  system = await startSystem();
});
after(() => system?.stop());

/** Number of orders. FAULT_ORDERS=40 reduces it. */
const ORDERS = Number.parseInt(process.env['FAULT_ORDERS'] ?? '500', 10);
const TOGETHER = 10;
const FAULTS = { lost_replies: 0.02, duplicates: 0.1, hangs: 0.05 };

/** Statuses in which an order is at rest or waits for a decision. */
const AT_REST: ReadonlySet<Order['status']> = new Set(['done', 'refunded', 'expired', 'cancelled', 'rejected', 'choose']);
/**
 * Steps of the clock in seconds, longer than the deadlines of choices and the clearing period. None of them resolves an unclear
 * send.
 */
const ROUNDS_SECONDS = [60, 31 * 60, 31 * 60, 73 * 3_600, 31 * 60, 73 * 3_600, 31 * 60, 73 * 3_600];
const ROUND_MS = 90_000;
const LOOK_MS = 2_000;
const PAID_MS = 300_000;
/** Longest time until ledger and rails have been compared, in ms: they are compared each minute. */
const RECONCILED_MS = 70_000;

test(`${ORDERS} orders with faults at every rail come to rest; custody equals the rails, nobody is paid twice`, async (t) => {
  const client = system.client();
  const directions = await openDirections(client);
  const rails = [...new Set((await client.currencies({})).map(({ rail }) => rail))];
  for (const rail of rails) await client.sandboxFaults({ rail, ...FAULTS });
  const wishes = Array.from({ length: ORDERS }, (_, at) => directions[at % directions.length] as (typeof directions)[number]);
  const orders: AnyOrder[] = [];
  const failed = await together(
    wishes,
    TOGETHER,
    ({ slug }) => slug,
    async (direction) => {
      orders.push(await orderAndPay(system, direction));
    },
  );
  assert.deepEqual(failed, []);
  await bePaid(client, orders);
  await comeToRest(client, orders);
  for (const rail of rails) await client.sandboxFaults({ rail });
  await comeToRest(client, orders);
  await resolveDoubts();
  const moving = await comeToRest(client, orders);
  assert.deepEqual(moving, [], 'every order rests or waits for somebody');
  t.diagnostic(JSON.stringify(await tally(client, orders)));
  const wrong = await together(
    orders,
    TOGETHER,
    ({ id }) => id,
    async (order) => {
      const fault = await faultOf(client, order);
      if (fault !== undefined) throw new Error(fault);
    },
  );
  assert.deepEqual(wrong, []);
  await equalCustody();
  const { code, output } = await system.tool('verify.ts');
  assert.equal(code, 0, output);
});

/** Waits until every payment has been detected. If the clock moved before, payments would be too late. */
async function bePaid(client: Client, orders: readonly AnyOrder[]): Promise<void> {
  await until(
    'every payment to be seen',
    PAID_MS,
    async () => {
      const { waiting = 0 } = await tally(client, orders);
      return waiting === 0;
    },
    LOOK_MS,
  ).catch(() => undefined);
}

/** Returns the number of orders by status. Orders that aren't done are counted with their reason and currency. */
async function tally(client: Client, orders: readonly AnyOrder[]): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  const unseen = await together(
    orders,
    TOGETHER,
    ({ id }) => id,
    async (order) => {
      const { status, reason = '' } = await look(client, order);
      for (const word of status === 'done' || status === 'waiting'
        ? [status]
        : [status, `${status} ${reason} ${order.direction.from}`])
        counts[word] = (counts[word] ?? 0) + 1;
    },
  );
  assert.deepEqual(unseen, []);
  return counts;
}

/** Moves the clock until every order is at rest. Returns the orders that are still in progress after all steps. */
async function comeToRest(client: Client, orders: readonly AnyOrder[]): Promise<string[]> {
  let moving = [...orders];
  for (const skip of ROUNDS_SECONDS) {
    const quiet = await until(
      'every order to rest',
      ROUND_MS,
      async () => {
        const doubts = await inDoubt();
        const still: AnyOrder[] = [];
        await together(
          moving,
          TOGETHER,
          ({ id }) => id,
          async (order) => {
            const seen = await look(client, order).catch(() => undefined);
            if (!seen || !(AT_REST.has(seen.status) || doubts.has(seen.status === 'paying' ? order.direction.to : order.id)))
              still.push(order);
          },
        );
        moving = still;
        return moving.length === 0;
      },
      LOOK_MS,
    ).catch(() => false);
    if (quiet) return [];
    await patiently(() => client.sandboxClock({ skip }));
  }
  return moving.map(({ id, direction }) => `${id} (${direction.slug})`);
}

/** Returns orders with an unclear send, since no provider's look-up proves that a transfer was never made. */
async function doubtful(): Promise<{ id: string; currency: string }[]> {
  const desk = await deskOf(system, 'olga');
  const { data } = await patiently(() => desk.operatorOrders({ state: ['in_doubt', 'r_in_doubt'], per_page: 100 }));
  return data.map(({ id, state, from, to = '' }) => ({ id, currency: state === 'in_doubt' ? to : from }));
}

/**
 * Returns the ids of these orders, and the currencies in which further orders wait for them: vouchers carry no reference, so only
 * one of an amount is created at a time.
 */
async function inDoubt(): Promise<ReadonlySet<string>> {
  return new Set((await doubtful()).flatMap(({ id, currency }) => [id, currency]));
}

/**
 * Matches vouchers, whose look-up shows no reference. Other transfers are found by their reference once the provider answers
 * again.
 */
const IS_VAGUE = /^PMV_/;

/**
 * Resolves unclear sends with two operators: a transfer that no look-up shows was not sent, and a voucher was created if the
 * provider's balance is less than the ledger's.
 */
async function resolveDoubts(): Promise<void> {
  const [olga, oleg] = await Promise.all([deskOf(system, 'olga'), deskOf(system, 'oleg')]);
  if ((await doubtful()).length > 0) await pause(RECONCILED_MS);
  // Look-ups have resolved some of them meanwhile.
  const doubts = await doubtful();
  const reserves = await olga.operatorReserves({});
  for (const { id, currency } of doubts) {
    const { places = [], unexplained = '0' } = reserves.find((one) => one.currency === currency) ?? {};
    const isMade =
      IS_VAGUE.test(currency) &&
      [unexplained, ...places.map(({ difference = '0' }) => difference)].some((one) => Number(one) !== 0);
    const action = isMade ? 'resolve_sent' : 'resolve_not_sent';
    const evidence = `the provider's balance ${isMade ? 'is less than' : 'agrees with'} the books`;
    for (const desk of [olga, oleg]) await desk.operatorOrderAction({ id, action, reason: 'by the statement', evidence });
  }
}

/** Waits until the ledger's balance of each place equals its rail's and no transfer is pending. */
async function equalCustody(): Promise<void> {
  const desk = await deskOf(system, 'olga');
  let seen: string[] = [];
  await until('the books to have what the rails have', 120_000, async () => {
    const reserves = await desk.operatorReserves({});
    seen = reserves.flatMap(({ currency, places }) =>
      places.flatMap(({ place, books, rail, difference }) =>
        rail !== undefined && difference !== undefined && Number(difference) !== 0
          ? [`${currency} ${place}: ${books}, rail ${rail}`]
          : [],
      ),
    );
    return seen.length === 0;
  }).catch((error: unknown) => {
    throw new Error(`${String(error)}: ${seen.join('; ')}`, { cause: error });
  });
}
