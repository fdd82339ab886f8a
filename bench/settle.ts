// Measures the worker's throughput in a second, in groups of due rows and of events: orders from placed to paid out, deposits
// from seen to credited, and invoices from paid to settled.

import { type Desk, openDesk } from './harness/desk.ts';
import { type Rounds, cpuOf, cpuOfFamily, median } from './harness/measure.ts';
import { type BenchServer, freshDatabase } from './harness/postgres.ts';
import { type SpeedRow, row } from './harness/table.ts';

/** Items in a round for each second of it: about the number that is to be settled in that time. */
const A_SECOND = 1_000;
/** Number of blocks that makes every payment final. */
const DEPTH = 70;
/** Time that a payment is in the mempool before it is mined; all its confirmations follow at once. */
const BLOCKS_MS = 1_200;
const POLL_MS = 100;
const BATCH_SIZE = 12;
const LONGEST_MS = 180_000;

/** A kind of item that goes through the worker. */
interface Way {
  readonly what: string;
  readonly how: string;
  /** Makes one item ready, and returns a function that pays it. */
  ready(desk: Desk): Promise<() => void>;
  /** SQL that counts the finished items. */
  readonly done: string;
  /** True if its customers have a coupon and an affiliate. */
  readonly hasRewards?: true;
  /** Least share of the rate of orders, if the row compares both. */
  readonly leastOfOrders?: number;
}

const order = async (desk: Desk): Promise<() => void> => {
  const placed = await desk.place();
  return () => desk.pay(placed);
};
const COMPLETED = `select count(*)::int as count from customer_order where state = 'completed'`;

const WAYS: readonly Way[] = [
  {
    what: 'orders settled',
    how: 'paid at once, half each way, until the last is paid out and final',
    ready: order,
    done: COMPLETED,
  },
  {
    what: 'orders settled, with a coupon and two rewards',
    how: 'paid at once, half each way, with one coupon and one affiliate whom another has sent, until both rewards of each are there',
    ready: order,
    done: `select least((${COMPLETED}), (select count(*)::int from reward) / 2) as count`,
    hasRewards: true,
  },
  {
    what: 'deposits settled',
    how: 'paid at once into as many wallets, until the last is its holder’s to use',
    async ready(desk) {
      const address = await desk.openWallet();
      return () => desk.payInto(address);
    },
    done: `select count(*)::int as count from wallet_deposit where status = 'final'`,
  },
  {
    what: 'invoices settled ÷ orders settled',
    how: 'paid at once to one store, half of them converted, until the last is settled, with their events for a webhook',
    ready: (desk) => desk.sell(),
    done: `select count(*)::int as count from invoice where state = 'settled'`,
    leastOfOrders: 0.8,
  },
];

interface Round {
  readonly rate: number;
  /** Milliseconds of processor time for one item. */
  readonly worker: number;
  readonly postgres: number;
}

/** Measures the rows of the worker, each in databases of its own on this server. */
export async function settleRows(server: BenchServer, { rounds, seconds }: Rounds): Promise<SpeedRow[]> {
  const done = WAYS.map((way) => ({ way, measured: [] as Round[] }));
  for (let round = 0; round <= rounds; round += 1) {
    for (const { way, measured } of done) {
      // A new desk each time: the worker would also watch the addresses of the round before.
      const desk = await openDesk(await freshDatabase(server, 'bench_desk'), { gives: way.hasRewards ?? false });
      try {
        // The first round warms up.
        const one = await settle(desk, server, way, A_SECOND * (round === 0 ? Math.min(1, seconds) : seconds));
        if (round > 0) measured.push(one);
      } finally {
        await desk.stop();
      }
    }
  }
  const orders = done[0]?.measured.map(({ rate }) => rate) ?? [];
  return done.map(({ way: { what, how, leastOfOrders }, measured }) => {
    const of = (pick: (one: Round) => number): number => median(measured.map(pick));
    const cpu = `worker ${of(({ worker }) => worker).toFixed(2)}, postgres ${of(({ postgres }) => postgres).toFixed(2)}`;
    const words = `${A_SECOND * seconds} ${how}; ms of CPU for one: ${cpu}`;
    const rate = of((one) => one.rate);
    if (leastOfOrders === undefined) return row(what, '≥', 300, rate, '/s', words);
    const ratio = median(measured.map((one, round) => one.rate / (orders[round] as number)));
    return row(what, '≥', leastOfOrders, ratio, '×', `${rate.toFixed(0)}/s; ${words}`);
  });
}

/** Makes the items ready, then pays all of them at once and waits for the last. */
async function settle(desk: Desk, server: BenchServer, { ready, done }: Way, count: number): Promise<Round> {
  const payments: (() => void)[] = [];
  let left = count;
  const loop = async (): Promise<void> => {
    while (left-- > 0) payments.push(await ready(desk));
  };
  await Promise.all(Array.from({ length: BATCH_SIZE }, loop));

  const before = { at: performance.now(), worker: cpuOf(process.pid), postgres: cpuOfFamily(server.pid) };
  for (const pay of payments) pay();
  const blocks = setInterval(() => desk.mine(DEPTH), BLOCKS_MS);
  try {
    while (((await desk.db.row<{ count: number }>(done))?.count ?? 0) < count) {
      if (performance.now() - before.at > LONGEST_MS) throw new Error(`Not all of ${count} came to their end`);
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  } finally {
    clearInterval(blocks);
  }
  return {
    rate: (count * 1_000) / (performance.now() - before.at),
    worker: (cpuOf(process.pid) - before.worker) / count / 1_000,
    postgres: (cpuOfFamily(server.pid) - before.postgres) / count / 1_000,
  };
}
