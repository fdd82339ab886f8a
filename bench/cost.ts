// Measures the cost of an idle system, the database work of one order by phase, and the delay from a block to the order's page.

import { setTimeout as pause } from 'node:timers/promises';
import { BUY_BTC, type Exchange, SELL_BTC, look, pay, place } from '../e2e/customers/customer.ts';
import { type Cost, type CostMeter, beyond, costOf, openCostMeter } from '../e2e/harness/cost.ts';
import { type System, isReady, startSystem, until } from '../e2e/harness/system.ts';
import { blockRows } from './blocks.ts';
import { cpuOf, cpuOfFamily } from './harness/measure.ts';
import { type SpeedRow, row } from './harness/table.ts';

const IDLE_MS = 30_000;
const DONE_MS = 180_000;
const POLL_MS = 3_000;
/** Figures of one order, both phases together; WAL in kB. */
const MAX = { transactions: 40, wal: 120 };

/** Measures the rows of an idle system, of one order and of blocks, in a system of its own. */
export async function costRows(): Promise<SpeedRow[]> {
  const system = await startSystem({ env: { SANDBOX_BLOCK_MS: '2000' } });
  const meter = await openCostMeter(system);
  try {
    await until('all directions to open', 60_000, async () => {
      const { directions } = await system.client().directions({});
      return directions.length > 0 && directions.every(isReady);
    });
    const idle = await idleOf(system, meter);
    // The first orders derive addresses and fill caches.
    await finish(system, await placeBoth(system));
    return [...idle.rows, ...(await orderRowsOf(system, meter, idle.cost)), ...(await blockRows(system))];
  } finally {
    await meter.close();
    await system.stop();
  }
}

async function idleOf(system: System, meter: CostMeter): Promise<{ cost: Cost; rows: SpeedRow[] }> {
  await meter.reported();
  const [before, begun] = [await meter.counted(), await cpuOfAll(system)];
  await pause(IDLE_MS);
  const [cost, used] = [costOf(before, await meter.counted()), (await cpuOfAll(system)) - begun];
  const aSecond = (count: number): number => count / cost.seconds;
  const words = `${aSecond(cost.rows).toFixed(1)} rows and ${(aSecond(cost.wal) / 1_000).toFixed(1)} kB of WAL a second`;
  return {
    cost,
    rows: [
      row('idle: transactions a second', '≤', 30, aSecond(cost.transactions), '', words),
      row('idle: CPU of a core, all processes', '≤', 6, used / 1e4 / cost.seconds, ' %', `for ${cost.seconds.toFixed(0)} s`),
    ],
  };
}

/** Microseconds of processor time of all processes of a system. */
async function cpuOfAll(system: System): Promise<number> {
  const { pids } = await system.run();
  const { postgres, ...others } = pids;
  const used = [cpuOfFamily(postgres), ...Object.values(others).map(cpuOf)];
  return used.reduce((sum, one) => sum + one, 0);
}

async function orderRowsOf(system: System, meter: CostMeter, idle: Cost): Promise<SpeedRow[]> {
  await meter.reported();
  const before = await meter.counted();
  const exchanges = await placeBoth(system);
  await meter.reported();
  const placed = await meter.counted();
  await finish(system, exchanges);
  await meter.reported();
  const done = await meter.counted();
  const phase = (cost: Cost) => {
    const { transactions, rows, wal } = beyond(cost, idle);
    return { transactions: transactions / exchanges.length, rows: rows / exchanges.length, wal: wal / exchanges.length / 1_000 };
  };
  const [placing, paying] = [phase(costOf(before, placed)), phase(costOf(placed, done))];
  const words = (name: 'transactions' | 'wal'): string =>
    `typed to placed ${placing[name].toFixed(0)}, paid to done ${paying[name].toFixed(0)}`;
  const written = `rows ${placing.rows.toFixed(0)} and ${paying.rows.toFixed(0)}`;
  return [
    row(
      'one order: transactions',
      '≤',
      MAX.transactions,
      placing.transactions + paying.transactions,
      '',
      `${words('transactions')}; ${written}`,
    ),
    row('one order: WAL', '≤', MAX.wal, placing.wal + paying.wal, ' kB', words('wal')),
  ];
}

const placeBoth = (system: System): Promise<Exchange[]> =>
  Promise.all([SELL_BTC, BUY_BTC].map((wish) => place(system.client(), wish)));

async function finish(system: System, exchanges: readonly Exchange[]): Promise<void> {
  const client = system.client();
  await Promise.all(
    exchanges.map(async ({ order }) => {
      await pay(client, order);
      await until('an order to be done', DONE_MS, async () => (await look(client, order)).status === 'done', POLL_MS);
    }),
  );
}
