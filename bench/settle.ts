// Orders from placed to paid out: how many the worker brings through in a second, in groups of due rows.

import { type Desk, openDesk } from './desk.ts';
import { type BenchServer, type SpeedRow, freshDatabase } from './ledger.ts';
import { type Rounds, cpuOf, cpuOfFamily, median } from './measure.ts';
import { row } from './table.ts';

/** Orders of a round for each second of it: about what is wanted of the whole way in so long. */
const A_SECOND = 1_000;
/** Deeper than any payment has to lie. */
const DEPTH = 70;
/** A payment is seen waiting before it is mined; then all of it is deep at once. */
const BLOCKS_MS = 1_200;
const LOOK_MS = 100;
const PLACING_AT_ONCE = 12;
const LONGEST_MS = 180_000;

interface Round {
  readonly rate: number;
  /** Milliseconds of processor time for one order. */
  readonly worker: number;
  readonly postgres: number;
}

/** The row of orders through the worker, in a database of its own on this server. */
export async function settleRows(server: BenchServer, { rounds, seconds }: Rounds): Promise<SpeedRow[]> {
  const done: Round[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    // A desk of its own each time: the places of the round before would be watched along.
    const desk = await openDesk(await freshDatabase(server, 'bench_desk'));
    try {
      // The first round warms up.
      const count = round === 0 ? A_SECOND : A_SECOND * seconds;
      const measured = await settle(desk, server, count);
      if (round > 0) done.push(measured);
    } finally {
      await desk.stop();
    }
  }
  const of = (pick: (one: Round) => number): number => median(done.map(pick));
  const words = `${A_SECOND * seconds} paid at once, half each way, until the last is paid out and final; ms of CPU for one: worker ${of(({ worker }) => worker).toFixed(2)}, postgres ${of(({ postgres }) => postgres).toFixed(2)}`;
  const what = 'orders, placed → paid out, in due-row groups through the worker, in-memory rail, mail off';
  return [row(what, '≥', 300, of(({ rate }) => rate), '/s', words)];
} // prettier-ignore

/** Places orders, then pays all of them at once and waits for the last payout. */
async function settle(desk: Desk, server: BenchServer, count: number): Promise<Round> {
  const orders: Awaited<ReturnType<Desk['place']>>[] = [];
  let left = count;
  const loop = async (): Promise<void> => {
    while (left-- > 0) orders.push(await desk.place());
  };
  await Promise.all(Array.from({ length: PLACING_AT_ONCE }, loop));

  const before = { at: performance.now(), worker: await cpuOf(process.pid), postgres: await cpuOfFamily(server.pid) };
  for (const order of orders) desk.pay(order);
  const blocks = setInterval(() => desk.mine(DEPTH), BLOCKS_MS);
  try {
    while ((await doneBy(desk)) < count) {
      if (performance.now() - before.at > LONGEST_MS) throw new Error(`Not all of ${count} orders were paid out`);
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
  } finally {
    clearInterval(blocks);
  }
  return {
    rate: (count * 1_000) / (performance.now() - before.at),
    worker: ((await cpuOf(process.pid)) - before.worker) / count / 1_000,
    postgres: ((await cpuOfFamily(server.pid)) - before.postgres) / count / 1_000,
  };
}

/** Paid out, and final on its chain. */
async function doneBy({ db }: Desk): Promise<number> {
  const row = await db.row<{ count: number }>(`select count(*)::int as count from customer_order where state = 'completed'`);
  return row?.count ?? 0;
}
