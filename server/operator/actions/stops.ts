// The desk's brake: one person stops what is new of orders or deposits, or payouts; two start it again. Who has stopped it may
// take that back alone for a while, with a code of their authenticator.

import { type Input, type Output, Problem, type Routes, fieldProblem } from '@kurs/contract';
import { setStopped, stoppable, stopsNow, switchesNow } from '../../payments/index.ts';
import type { Db, Statements, Tx } from '../../platform/index.ts';
import { type DeskSessions, stepUp } from '../people/desk-sessions.ts';
import type { Person } from '../people/roles.ts';
import { actAs } from '../people/two-people.ts';

/** For so long who has stopped something may take it back alone. */
const ALONE_MS = 15 * 60_000;

/** Dependencies of starting again. */
export interface StopDeps extends Pick<DeskSessions, 'db' | 'sealer'> {
  /** True if an alarm has opened since a moment. */
  readonly hasAlarmSince: (tx: Tx, since: Date) => Promise<boolean>;
}

type Stopped = Output<Routes['operatorStops']>;

/** Stops in force, as the contract writes them. */
export async function stopsView(db: Statements): Promise<Stopped> {
  return (await stopsNow(db)).map(({ what, by, since }) => ({
    what,
    by: by.at(-1) ?? '',
    since: since.toISOString(),
    ...(by.length === 1 && { alone_until: new Date(since.getTime() + ALONE_MS).toISOString() }),
  }));
}

/** Stops something, which takes one person. Throws `validation` for what there isn't. */
export async function stop(
  db: Db,
  person: Person,
  { what, reason }: Input<Routes['operatorStop']>,
  key?: string,
): Promise<Output<Routes['operatorStop']>> {
  const which = stoppable(what);
  return db.tx(async (tx) => {
    await switchesNow(tx, which);
    const wanted = {
      action: `stop_${what}`,
      subject: what,
      reason,
      permission: 'payouts.switch',
      people: 1,
      body: {},
      key,
    } as const;
    await actAs(tx, person, wanted, (by) => setStopped(tx, which, true, by.join(', ')));
    return { status: 'done', stopped: await stopsView(tx) };
  });
}

/**
 * Starts something again: two people, or with a `code` who has stopped it, alone. Throws `validation` at `code` where that may
 * not be taken back alone, and as a sign-in for a code that is wrong.
 */
export async function start(
  { db, sealer, hasAlarmSince }: StopDeps,
  person: Person,
  { what, reason, code }: Input<Routes['operatorStart']>,
  key?: string,
): Promise<Output<Routes['operatorStart']>> {
  const which = stoppable(what);
  const isAlone = code !== undefined;
  const requireAlone = async (tx: Tx): Promise<void> => {
    const why = await whyNotAlone(tx, person, which, hasAlarmSince);
    if (why !== undefined) throw fieldProblem('code', why);
  };
  if (isAlone) {
    if (person.consentsTo !== undefined) throw new Problem('request_over');
    await db.tx(requireAlone);
    await stepUp({ db, sealer }, person, code);
  }
  return db.tx(async (tx) => {
    // Anyone who has stopped it since then knew more than who asked for a start.
    const about = await switchesNow(tx, which);
    if (isAlone) await requireAlone(tx);
    const said = { action: `start_${what}`, subject: what, reason, permission: 'payouts.switch', body: {} } as const;
    const wanted = { ...said, people: isAlone ? 1 : 2, about, key } as const;
    const acted = await actAs(tx, person, wanted, (by) => setStopped(tx, which, false, by.join(', ')));
    return { ...acted, stopped: await stopsView(tx) };
  });
}

/** Why somebody may not take a stop back alone; undefined where they may. */
async function whyNotAlone(
  tx: Tx,
  { name }: Person,
  which: readonly string[],
  hasAlarmSince: StopDeps['hasAlarmSince'],
): Promise<string | undefined> {
  const stops = (await stopsNow(tx)).filter(({ what }) => which.includes(what));
  const since = new Date(Math.min(...stops.map((one) => one.since.getTime())));
  if (stops.length === 0) return 'nothing_stopped';
  if (stops.some(({ by }) => by.some((one) => one !== name))) return 'stopped_by_other';
  if (tx.now.getTime() - since.getTime() > ALONE_MS) return 'stopped_long_ago';
  return (await hasAlarmSince(tx, since)) ? 'alarm_since_stop' : undefined;
}
