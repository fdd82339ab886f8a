// Measures transfers between wallets over HTTP on a running system, each with its own mailed code, beside the simple update of
// one row in the same PostgreSQL.

import { randomUUID } from 'node:crypto';
import type { System } from '../e2e/harness/system.ts';
import { makeCode } from '../server/auth/index.ts';
import { accounts, leg, post } from '../server/ledger/index.ts';
import { confirmationOf } from '../server/moneyout/index.ts';
import { type Db, newId } from '../server/platform/index.ts';
import { openBooks } from '../server/supervisor/index.ts';
import { type Shot, callAgain } from './harness/caller.ts';
import { type Holder, addHolders, databaseOf, openSystemDb } from './harness/holders.ts';
import { type Rounds, addressOf, cpuOf, cpuOfFamily, median } from './harness/measure.ts';
import { openSimple } from './harness/simple.ts';
import { type SpeedRow, joined, row } from './harness/table.ts';

const HOLDERS = 2_000;
const UNIT = 'USDT';
/** Numbers of simultaneous callers. */
const CALLERS = [1, 16, 64];
/** Upper bound of the transfers that all callers together make in a second. */
const MAX_A_SECOND = 3_000;
/** Number of the first caller: the networks of this part are apart from those of the others. */
const FIRST_CALLER = 20_000;

/** Transfers in a second, and milliseconds of processor time for one. */
interface Measured {
  readonly rate: number;
  readonly api: number;
  readonly postgres: number;
}

/** Measures the rows of transfers, in a system that trusts `X-Forwarded-For`. */
export async function transferRows(system: System, { rounds, seconds }: Rounds): Promise<SpeedRow[]> {
  const db = await openSystemDb(system);
  openBooks({ KURS_DATA: system.data });
  const holders = await seedHolders(db);
  const simple = await openSimple(await databaseOf(system));
  const rows: SpeedRow[] = [];
  try {
    const measure = (callers: number): Promise<Measured> => pass(system, db, { holders, callers, seconds });
    await measure(16);
    for (const callers of CALLERS) {
      const done: Measured[] = [];
      const plain: number[] = [];
      for (let round = 0; round < rounds; round += 1) {
        done.push(await measure(callers));
        plain.push(await simple.measure(callers, seconds));
      }
      const of = (pick: (one: Measured) => number): number => median(done.map(pick));
      const ratio = median(done.map(({ rate }, round) => rate / (plain[round] as number)));
      const cpu = `api ${of(({ api }) => api).toFixed(2)}, postgres ${of(({ postgres }) => postgres).toFixed(2)}`;
      const words = `${of(({ rate }) => rate).toFixed(0)}/s; simple updates ${median(plain).toFixed(0)}/s; ms of CPU for one: ${cpu}`;
      rows.push(row(`${callers}`, '≥', 0.2, ratio, '×', words));
    }
  } finally {
    await simple.close();
    await db.close();
  }
  return [joined(`wallet transfers at ${CALLERS.join(', ')} ÷ simple updates`, rows)];
}

/** Makes signed-in holders of the highest level, with money in their wallets. */
async function seedHolders(db: Db): Promise<Holder[]> {
  const holders = await db.tx(async (tx) => {
    const added = await addHolders(tx, HOLDERS);
    const of = <K extends keyof Holder>(name: K): string[] => added.map((one) => one[name]);
    await tx.run(
      `insert into customer_level (holder_id, level, by, at) select id, 3, 'bench', clock_now() from unnest($1::uuid[]) id`,
      [of('id')],
    );
    await tx.run(`insert into wallet (holder_id, unit, opened_at) select id, $2, clock_now() from unnest($1::uuid[]) id`, [
      of('id'),
      UNIT,
    ]);
    const bank = accounts.custody('USDT_ERC20', 'hot', UNIT);
    const legs = added.map(({ id }) => leg(bank, accounts.wallet(id, UNIT), 10_000_000_000n));
    const deposits = Array.from({ length: HOLDERS / 100 }, (_, at) => legs.slice(at * 100, at * 100 + 100));
    await post(
      tx,
      deposits.map((some) => ({ id: newId(), kind: 'deposit', cause: newId(), legs: some, prices: { [UNIT]: '1' } })),
    );
    return added;
  });
  await db.run('vacuum analyze');
  return holders;
}

interface Crowd {
  readonly holders: readonly Holder[];
  readonly callers: number;
  readonly seconds: number;
}

/** Makes transfers with so many simultaneous callers, each with a mailed code. */
async function pass(system: System, db: Db, { holders, callers, seconds }: Crowd): Promise<Measured> {
  const { pids } = await system.run();
  const each = Math.ceil((MAX_A_SECOND * seconds) / callers);
  const shots = await shotsOf(db, holders, callers * each);
  const cpu = () => ({ api: cpuOf(pids.api), postgres: cpuOfFamily(pids.postgres) });
  const before = { at: performance.now(), ...cpu() };
  const answered = await callAgain(
    system.url,
    Array.from({ length: callers }, (_, at) => shots.slice(at * each, at * each + each)),
    seconds,
  );
  const after = { at: performance.now(), ...cpu() };
  if (answered >= callers * each) throw new Error('more was asked for than was made ready');
  return {
    rate: (answered * 1_000) / (after.at - before.at),
    api: (after.api - before.api) / answered / 1_000,
    postgres: (after.postgres - before.postgres) / answered / 1_000,
  };
}

let request = 0;

async function shotsOf(db: Db, holders: readonly Holder[], count: number): Promise<Shot[]> {
  return db.tx(async (tx) => {
    const shots = Array.from({ length: count }, async (): Promise<Shot> => {
      const number = request++;
      const from = holders[number % HOLDERS] as Holder;
      const to = holders[(number + 1 + Math.floor(Math.random() * (HOLDERS - 1))) % HOLDERS] as Holder;
      // The amount grows each time that all holders have paid, so that no two transfers are alike.
      const parts = 10_000 + Math.floor(number / HOLDERS);
      const about = confirmationOf(['transfer', from.id, UNIT, `${parts}`, to.email]);
      const otp = await makeCode(tx, { purpose: 'money_out', subject: [from.id, from.session, about].join(' ') });
      return {
        method: 'POST',
        path: '/api/v1/wallet/transfer',
        headers: {
          'client-id': 'web',
          'content-type': 'application/json',
          authorization: `Bearer ${from.token}`,
          'idempotency-key': randomUUID(),
          'x-forwarded-for': addressOf(FIRST_CALLER + (number % HOLDERS)),
        },
        body: JSON.stringify({ currency: UNIT, amount: (parts / 1_000_000).toFixed(6), to: to.email, otp }),
      };
    });
    return Promise.all(shots);
  });
}
