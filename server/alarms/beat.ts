import type { Db, Statements } from '../platform/index.ts';
import type { Found } from './alarm.ts';

/** The processes that tell of each other. */
export type Process = 'worker' | 'api';

/** Seconds without a sign after which a process counts as silent. */
const SILENT_SECONDS = 60;
const WORDS: Readonly<Record<Process, string>> = {
  worker: 'The worker is silent: nothing is paid out and no payment is seen.',
  api: 'The api is silent: nobody gets a page.',
};

/** Notes that a process is at work. By the machine's own time, which nothing moves on. */
export async function beat(db: Statements, name: Process): Promise<void> {
  await db.run(
    'insert into process_beat (name, at) values ($1, now()) on conflict (name) do update set at = excluded.at',
    [name],
    {
      name: 'alarms.beat',
    },
  );
}

/** Notes that a process stops because it was asked to: then it is not silent. */
export async function signOff(db: Statements, name: Process): Promise<void> {
  await db.run('delete from process_beat where name = $1', [name]);
}

/** Whether the other process has given no sign for a minute. One that was never there is not silent. */
export async function foundSilent(db: Db, other: Process): Promise<Found[]> {
  const row = await db.row<{ is_silent: boolean }>(
    `select at < now() - $2 * interval '1 second' as is_silent from process_beat where name = $1`,
    [other, SILENT_SECONDS],
    { name: 'alarms.silent' },
  );
  return row?.is_silent ? [{ key: other, kind: other, words: WORDS[other] }] : [];
}
