import { type Db, type Statements, noteLiving } from '../platform/index.ts';
import type { Found } from './alarm.ts';

/** Processes that watch each other. */
export type Process = 'worker' | 'api' | 'console';

/** A process on one machine. It stores signs of life. */
export interface Beating {
  readonly process: Process;
  /** The machine's name. */
  readonly machine: string;
}

/** Seconds without a sign of life after which a process is silent. */
const SILENT_SECONDS = 60;
const WORDS: Readonly<Record<Process, string>> = {
  worker: 'The worker is silent: nothing is paid out and no payment is seen.',
  api: 'The api is silent: nobody gets a page.',
  console: 'The console is silent: nobody of the desk can act.',
};

/**
 * Stores a sign of life of a process, and updates the number of living processes of the same kind. Uses real time, not the
 * sandbox's clock. Deletes processes of this kind that have been silent for a day, since their machines are gone.
 */
export async function beat(db: Statements, { process, machine }: Beating): Promise<void> {
  await db.run(
    'insert into process_beat (name, machine, at) values ($1, $2, now()) on conflict (name, machine) do update set at = excluded.at',
    [process, machine],
    { name: 'alarms.beat' },
  );
  await db.run(`delete from process_beat where name = $1 and at < now() - interval '1 day'`, [process], {
    name: 'alarms.forget_beats',
  });
  const row = await db.row<{ living: number }>(
    `select count(*)::int as living from process_beat where name = $1 and at > now() - $2 * interval '1 second'`,
    [process, SILENT_SECONDS],
    { name: 'alarms.living' },
  );
  noteLiving(row?.living ?? 1);
}

/** Removes a process that stops on request, so that it doesn't count as silent. */
export async function signOff(db: Statements, { process, machine }: Beating): Promise<void> {
  await db.run('delete from process_beat where name = $1 and machine = $2', [process, machine]);
}

/**
 * Returns a finding for each process of a kind that has given no sign of life for a minute. If all processes of this kind are
 * silent, returns a single finding. A kind that never ran isn't reported.
 */
export async function foundSilent(db: Db, other: Process): Promise<Found[]> {
  const rows = await db.rows<{ machine: string; is_silent: boolean }>(
    `select machine, at < now() - $2 * interval '1 second' as is_silent from process_beat where name = $1 order by machine`,
    [other, SILENT_SECONDS],
    { name: 'alarms.silent' },
  );
  const silent = rows.filter(({ is_silent: isSilent }) => isSilent);
  if (silent.length === 0) return [];
  if (silent.length === rows.length) return [{ key: other, kind: other, words: WORDS[other] }];
  return silent.map(({ machine }) => ({
    key: `${other} ${machine}`,
    kind: other,
    words: `The ${other} of ${machine} is silent. Those of other machines work.`,
  }));
}
