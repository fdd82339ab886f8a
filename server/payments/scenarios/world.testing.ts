import assert from 'node:assert/strict';
import type { Money } from '@kurs/money';
import { type AccountRef, balance, verify } from '../../ledger/index.ts';
import { type Db, advanceClock, newId } from '../../platform/index.ts';
import { testDb, testSealer } from '../../platform/testing.ts';
import { postEvents } from '../payins/events.ts';
import type { PaymentsDeps } from '../rails/deps.ts';
import { applyWebhooks } from '../payins/webhook.ts';
import { recallRail } from '../sending/recall-payouts.ts';
import { redeemRail } from '../polls/entries.ts';
import type { PayinBody, PayoutBody, WayBody } from '../rails/event-bodies.ts';
import { askReserve, refreshFloat } from '../balances/float.ts';
import { followRail } from '../sending/follow-attempts.ts';
import { type MemoryOptions, type MemoryRail, openMemoryRail } from '../memory-rail.ts';
import type { Call } from '../memory-world.ts';
import { type PayInstruction, openPayin } from '../payins/open-payin.ts';
import { prepareRail } from '../payins/prepare-payins.ts';
import { reconcile } from '../balances/reconcile.ts';
import { useRails } from '../rails/registry.ts';
import { requestPayout } from '../payouts/request-payout.ts';
import { payRail } from '../sending/send-payouts.ts';
import { watchRail } from '../polls/watch-payins.ts';
import { paymentsDeps } from '../work.ts';

/** USD price of one whole unit, in whole USD. */
const PRICES: Readonly<Record<string, bigint>> = { BTC: 100_000n, USDT: 1n, ETH: 4_000n };
const SCALES: Readonly<Record<string, bigint>> = { BTC: 10n ** 8n, USDT: 10n ** 6n, ETH: 10n ** 18n };

/** Fixed prices, so that a test knows the value of a payment. */
export const fixedValues = {
  usd: ({ unit, parts }: Money): bigint => (parts * (PRICES[unit] ?? 0n) * 100n) / (SCALES[unit] ?? 1n),
  price: (unit: string): string | undefined => PRICES[unit]?.toString(),
};

/** A desk with one memory rail and a new database. A test runs its loops turn by turn. */
export interface Desk extends MemoryRail {
  readonly db: Db;
  readonly deps: PaymentsDeps;
  readonly currency: string;
  readonly unit: string;
  /** Opens a receiving address for a new order. `customer`: key of the customer; a new one if absent. */
  open(customer?: string): Promise<PayInstruction & { readonly order: string }>;
  /** Queues a payout for a new order and returns its id. */
  request(parts: bigint, to?: Readonly<Record<string, string>>): Promise<string>;
  /** Runs one turn of every loop, in the order in which money flows. */
  turn(): Promise<void>;
  /** Polls the rail's balance at once; otherwise the balance may be two seconds old. */
  read(): Promise<void>;
  /** Compares the books with the last polled balance of the rail. */
  reconcile(): Promise<void>;
  /**
   * Recalls payouts that nobody has claimed for long enough, and vouchers that were not shown in that time. Returns the number of
   * recalled ones.
   */
  recall(): Promise<number>;
  /** Moves the clock forward. */
  pass(ms: number): Promise<void>;
  /** Returns the published payment events of an order, oldest first. */
  payins(order: string): Promise<PayinBody[]>;
  payouts(id: string): Promise<PayoutBody[]>;
  ways(order: string): Promise<WayBody[]>;
  status(id: string): Promise<string>;
  balance(account: AccountRef): Promise<bigint>;
  close(): Promise<void>;
}

/** Opens a desk. With the id `bitcoin` or `evm`, the rail has that rail's depths. */
export async function openDesk(options: MemoryOptions = {}, given: Partial<PaymentsDeps> = {}): Promise<Desk> {
  const { db, drop } = await testDb();
  const memory = openMemoryRail({ id: 'bitcoin', ...options });
  const { rail, world } = memory;
  useRails(new Map([[rail.id, rail]]));
  const deps = paymentsDeps(db, { values: fixedValues, jitter: () => 0, callMs: 100, sealer: testSealer, ...given });
  const { code: currency, unit } = rail.currencies[0] as { code: string; unit: string };
  world.fund(currency, 'hot', 10_000_000_000n);
  if (options.fuel) world.fund(options.fuel, 'fuel', 10n ** 18n);
  const bodiesOf = async <B>(kind: string, field: string, id: string): Promise<B[]> =>
    (
      await db.rows<{ body: B }>(`select body from event where kind = $1 and body #>> $2 = $3 order by id`, [kind, field, id])
    ).map(({ body }) => body);
  const desk: Desk = {
    ...memory,
    ...{ db, deps, currency, unit },
    open: async (customer = newId()) => {
      const order = newId();
      const until = new Date((await db.now()).getTime() + 15 * 60_000);
      const request = {
        label: 'KX-0000-0000',
        back: { success: '/paid', fail: '/unpaid' },
        locale: 'en' as const,
        until,
        payer: {},
      };
      const input = { owner: { kind: 'order' as const, id: order }, currency, parts: 1_000n, customerKey: customer, request };
      return { ...(await db.tx((tx) => openPayin(tx, input))), order };
    },
    request: async (parts, to = memory.receiver()) => {
      const id = newId();
      const owner = { kind: 'order' as const, id: newId() };
      await db.tx((tx) => requestPayout(tx, { id, owner, currency, unit, parts, to, purpose: 'payout' }));
      return id;
    },
    turn: async () => {
      await prepareRail(deps, rail);
      await redeemRail(deps, rail);
      await applyWebhooks(db);
      await watchRail(deps, rail);
      await refreshFloat(deps, rail);
      await payRail(deps, rail);
      await followRail(deps, rail);
      await postEvents(db);
    },
    read: async () => {
      await askReserve(deps, rail);
      await refreshFloat(deps, rail);
    },
    reconcile: () => reconcile(db, deps.values),
    recall: () => recallRail(deps, rail),
    pass: async (ms) => void (await advanceClock(db, ms)),
    payins: (order) => bodiesOf<PayinBody>('payments.payin', '{owner,id}', order),
    ways: (order) => bodiesOf<WayBody>('payments.way', '{owner,id}', order),
    payouts: (id) => bodiesOf<PayoutBody>('payments.payout', '{intentId}', id),
    status: async (id) => (await db.row<{ status: string }>('select status from payout where id = $1', [id]))?.status ?? '',
    balance: (account) => balance(db, account),
    close: drop,
  };
  await watchRail(deps, rail);
  await askReserve(deps, rail);
  return desk;
}

/** Returns the kind of each event, in the same order. */
export function events(bodies: readonly { readonly event: string }[]): string[] {
  return bodies.map(({ event }) => event);
}

/** Runs turns with a minute and a block before each, so that delayed work is done, too. */
export async function resume(desk: Desk, turns = 6): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) {
    await desk.pass(61_000);
    desk.world.mine();
    await desk.turn();
  }
}

/** Delays the answer of the rail's next call of a kind until `answer` is called. `requested` resolves when the call was made. */
export function holdUp(desk: Desk, call: Call): { readonly requested: Promise<void>; answer(): void } {
  const request = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<void>();
  desk.world.chance = (made) => {
    if (made !== call) return undefined;
    desk.world.calm();
    request.resolve();
    return { kind: 'delay', until: answered.promise };
  };
  return { requested: request.promise, answer: () => answered.resolve() };
}

/** Runs a test on a desk of its own, and proves the desk's books at the end. */
export async function withDesk(options: Parameters<typeof openDesk>[0], work: (desk: Desk) => Promise<void>): Promise<void> {
  const desk = await openDesk(options);
  try {
    await work(desk);
    const report = await verify(desk.db);
    assert.deepEqual(report.faults, []);
  } finally {
    await desk.close();
  }
}
