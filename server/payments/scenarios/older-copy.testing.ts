// Processes on a real rail, for tests of older copies: their database is backed up, and the copy runs, too.

import { type Db, configureLog, newId } from '../../platform/index.ts';
import { type TestDb, backUp, testDb, testSealer } from '../../platform/testing.ts';
import type { Fields, Rail } from '../../rails/rail.ts';
import { askReserve, refreshFloat } from '../balances/float.ts';
import { fundDesk } from '../balances/capital.ts';
import { compareSends } from '../comparing/compare-sends.ts';
import { watchRail } from '../polls/watch-payins.ts';
import { postEvents } from '../payins/events.ts';
import { requestPayout } from '../payouts/request-payout.ts';
import type { PaymentsDeps } from '../rails/deps.ts';
import { useRails } from '../rails/registry.ts';
import { bookAsSent } from '../sending/book-unrecorded.ts';
import { followRail } from '../sending/follow-attempts.ts';
import { payRail } from '../sending/send-payouts.ts';
import { type UnrecordedSend, unrecordedSends } from '../unrecorded/unrecorded-sends.ts';
import { paymentsDeps } from '../work.ts';
import { fixedValues } from './world.testing.ts';

/** A real chain or provider on which several processes may open the same rail. */
export interface CopyWorld {
  readonly currency: string;
  readonly unit: string;
  readonly parts: bigint;
  /** Number of blocks after which a send is final; 0 at a provider. */
  readonly finalBlocks: number;
  /** Balances that the rail reports at first, by currency and place. The test books them as capital. */
  readonly holds: readonly { readonly currency: string; readonly place: 'hot' | 'fuel'; readonly parts: bigint }[];
  /** Opens the rail as a newly started process does. */
  open(): Rail;
  blocks(count: number): Promise<void>;
  receiver(): Promise<Fields>;
  received(to: Fields): Promise<bigint>;
  close(): Promise<void>;
}

/** A process of the product over one database. */
export interface Process {
  readonly db: Db;
  readonly deps: PaymentsDeps;
  /** Alarms that this process has raised so far. */
  readonly alarms: readonly string[];
  request(to: Fields, parts?: bigint): Promise<string>;
  /** Runs one turn of every loop that sends; `minutely`: also the loops that run once a minute. */
  turn(minutely?: boolean): Promise<void>;
  status(id: string): Promise<string>;
  unrecorded(): Promise<UnrecordedSend[]>;
  /** Books a send, by two people, as the payout that it was matched to. */
  book(send: UnrecordedSend): Promise<void>;
  /** Restarts the process. */
  restart(): Process;
}

function start(world: CopyWorld, { db }: TestDb): Process {
  const rail = world.open();
  const alarms: string[] = [];
  const deps = paymentsDeps(db, { values: fixedValues, jitter: () => 0, callMs: 10_000, sealer: testSealer });
  // Rails and the log's alarm handler are global, so each call first sets those of this process. Two processes must not run at
  // the same time.
  const asItself = async <T>(work: () => Promise<T>): Promise<T> => {
    useRails(new Map([[rail.id, rail]]));
    configureLog({ onAlarm: (words) => void alarms.push(words) });
    return work();
  };
  return {
    ...{ db, deps, alarms },
    request: (to, parts = world.parts) =>
      asItself(async () => {
        const [id, owner] = [newId(), { kind: 'order' as const, id: newId() }];
        const { currency, unit } = world;
        await db.tx((tx) => requestPayout(tx, { id, owner, currency, unit, parts, to, purpose: 'payout' }));
        return id;
      }),
    turn: (minutely = false) =>
      asItself(async () => {
        await watchRail(deps, rail);
        if (minutely) await compareSends(deps, rail);
        await askReserve(deps, rail);
        await refreshFloat(deps, rail);
        await payRail(deps, rail);
        await db.run('update payment_attempt set due_at = clock_now() where due_at is not null');
        await followRail(deps, rail);
        await postEvents(db);
        await db.run(`update payout set due_at = clock_now() where status in ('queued', 'preparing')`);
      }),
    status: async (id) => (await db.row<{ status: string }>('select status from payout where id = $1', [id]))?.status ?? '',
    unrecorded: () => unrecordedSends(db),
    book: ({ id, reference, spend }) =>
      asItself(async () => {
        const said = reference === spend ? { txid: `0x${'ab'.repeat(32)}` } : {};
        await db.tx((tx) => bookAsSent(tx, id, said, { statement: 'the explorer', by: ['olga', 'oleg'] }));
      }),
    restart: () => start(world, { db } as TestDb),
  };
}

/** Opens a process on a new database, and books the balances that the rail reports. */
export async function openDeskOf(world: CopyWorld): Promise<{
  readonly original: Process;
  /** Stops the original process for a moment, copies its database, and starts a process on each. */
  backUp(): Promise<{ readonly original: Process; readonly copy: Process }>;
  close(): Promise<void>;
}> {
  let one = await testDb();
  const copies: TestDb[] = [];
  const original = start(world, one);
  await original.turn();
  await one.db.tx((tx) =>
    fundDesk(
      tx,
      world.holds.map((held) => ({ id: newId(), ...held })),
    ),
  );
  return {
    original,
    backUp: async () => {
      const both = await backUp(one);
      one = both.original;
      copies.push(both.copy);
      return { original: start(world, both.original), copy: start(world, both.copy) };
    },
    close: async () => {
      configureLog({ onAlarm: () => {} });
      await Promise.all([one, ...copies].map((each) => each.drop()));
      await world.close();
    },
  };
}
