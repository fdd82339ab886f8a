// Stops of the desk. One person stops new orders, new deposits or payouts; lifting a stop takes two people. For some minutes, the
// person who alone made a stop may also lift it alone, with a code of an authenticator.

import { type Input, type Output, Problem, type Routes, fieldProblem } from '@kurs/contract';
import { setStopped, stoppable, stopsNow, switchesNow } from '../../payments/index.ts';
import type { Db, Statements, Tx } from '../../platform/index.ts';
import { type DeskSessions, stepUp } from '../people/desk-sessions.ts';
import type { Person } from '../people/roles.ts';
import { actAs } from '../people/two-people.ts';

/** Time in which a person may lift their own stop alone, in ms. */
const ALONE_MS = 15 * 60_000;

/** Dependencies of `start`. */
export interface StopDeps extends Pick<DeskSessions, 'db' | 'sealer'> {
  /** Returns true if an alarm was opened after a moment. */
  readonly hasAlarmSince: (tx: Tx, since: Date) => Promise<boolean>;
}

type Stopped = Output<Routes['operatorStops']>;

/** Returns the stops in force. */
export async function stopsView(db: Statements): Promise<Stopped> {
  return (await stopsNow(db)).map(({ what, by, since }) => ({
    what,
    by: by.at(-1) ?? '',
    since: since.toISOString(),
    ...(by.length === 1 && { alone_until: new Date(since.getTime() + ALONE_MS).toISOString() }),
  }));
}

/** Stops new orders, deposits or payouts; takes one person. Throws `validation` for an unknown word. */
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
 * Lifts a stop: by two people, or with `code` by the person who made the stop. Throws `validation` at `code` if that person may
 * not lift it alone, and the problems of a sign-in for a wrong code.
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
    // A request is bound to the current state of the switches, so that a later stop voids the request.
    const about = await switchesNow(tx, which);
    if (isAlone) await requireAlone(tx);
    const said = { action: `start_${what}`, subject: what, reason, permission: 'payouts.switch', body: {} } as const;
    const wanted = { ...said, people: isAlone ? 1 : 2, about, key } as const;
    const acted = await actAs(tx, person, wanted, (by) => setStopped(tx, which, false, by.join(', ')));
    return { ...acted, stopped: await stopsView(tx) };
  });
}

/** Returns the reason why the person may not lift the stop alone; undefined if they may. */
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
