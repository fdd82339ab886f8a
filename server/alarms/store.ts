import { mail } from '../deliveries/index.ts';
import { type Tx, newId } from '../platform/index.ts';
import { type Alarm, type AlarmKind, type Decision, type Found, type AlarmMessage, decide } from './alarm.ts';
import type { Beating, Process } from './beat.ts';
import { storeWebhook, queueLine } from './deliver.ts';
import { settings } from './settings.ts';
import { writeNotice } from './notice-words.ts';

/** Returns the key of the alarm for a loop of a process. */
export const loopKey = (by: Process, loop: string): string => `loop ${by} ${loop}`;

/** Kinds that a machine finds about itself; every machine sees all others alike. */
const OF_ONE_MACHINE: readonly AlarmKind[] = ['disk', 'signer', 'restarts', 'loop', 'logged', 'proxy'];

interface AlarmRow {
  key: string;
  machine: string;
  kind: AlarmKind;
  words: string;
  since: Date;
  notified_at: Date | null;
  gone_since: Date | null;
}

const fromRow = ({ key, kind, words, since, notified_at: reportedAt, gone_since: goneSince }: AlarmRow): Alarm => ({
  ...{ key, kind, words, since },
  ...(reportedAt && { reportedAt }),
  ...(goneSince && { goneSince }),
});

/**
 * Stores the findings of a check, of the kinds that it covers. In the same transaction queues the messages: to each mailbox, to
 * the webhook if there is one, and for the file. `name` is the product's. `by` is the process that checks; it decides only about
 * its own loops, its own machine's alarms, and those of machines that are gone. Returns the messages.
 */
export async function storeFindings(
  tx: Tx,
  kinds: readonly AlarmKind[],
  found: readonly Found[],
  { name, by }: { readonly name: string; readonly by: Beating },
): Promise<readonly AlarmMessage[]> {
  // Two workers may check concurrently: the second decides based on what the first has stored.
  await tx.run('lock table alarm in share row exclusive mode');
  const rows = await tx.rows<AlarmRow>(KNOWN, [kinds, `${loopKey(by.process, '')}%`, by.machine]);
  const remindHours = await settings.read(tx, 'alarms.remind_hours');
  const several = await tx.row('select from process_beat where machine <> $1 limit 1', [by.machine]);
  const machineOf = ({ kind }: Pick<Found, 'kind'>): string => (OF_ONE_MACHINE.includes(kind) ? by.machine : '');
  const named = found.map((one) => (several && machineOf(one) !== '' ? { ...one, words: `${one.words} (${by.machine})` } : one));
  const events: AlarmMessage[] = [];
  // Alarms of a machine that is gone are decided as no longer found.
  for (const machine of new Set([...rows.map((row) => row.machine), ...named.map(machineOf)])) {
    const decision = decide(
      rows.filter((row) => row.machine === machine).map(fromRow),
      named.filter((one) => machineOf(one) === machine),
      tx.now,
      remindHours,
    );
    await save(tx, machine, decision);
    events.push(...decision.reported);
  }
  await storeWebhook(tx);
  for (const one of events) await report(tx, one, name);
  return events;
}

/**
 * SQL: the alarms that a process decides about: those that all machines see alike, its own machine's, and those of silent
 * machines.
 */
const KNOWN = `
  select * from alarm
  where kind = any($1) and (kind <> 'loop' or key like $2 or machine <> $3)
    and (machine in ('', $3) or machine not in (select machine from process_beat where at > now() - interval '1 hour'))
  order by key`;

async function save(tx: Tx, machine: string, { store, forget }: Decision): Promise<void> {
  await tx.run('delete from alarm where machine = $1 and key = any($2)', [machine, forget]);
  await tx.run(
    `insert into alarm (key, kind, words, since, notified_at, gone_since, machine)
     select *, $7 from unnest($1::text[], $2::text[], $3::text[], $4::timestamptz[], $5::timestamptz[], $6::timestamptz[])
     on conflict (key, machine) do update
     set words = excluded.words, notified_at = excluded.notified_at, gone_since = excluded.gone_since`,
    [
      store.map(({ key }) => key),
      store.map(({ kind }) => kind),
      store.map(({ words }) => words),
      store.map(({ since }) => since),
      store.map(({ reportedAt }) => reportedAt ?? null),
      store.map(({ goneSince }) => goneSince ?? null),
      machine,
    ],
  );
}

async function report(tx: Tx, reported: AlarmMessage, name: string): Promise<void> {
  await recordReported(tx, reported, tx.now);
  const { letter, line } = writeNotice(reported, name, tx.now);
  for (const to of await settings.read(tx, 'alarms.mail'))
    mail.queue(tx, {
      ...letter,
      to,
      key: `alarm ${reported.alarm.key} ${reported.notice} ${tx.now.getTime()} ${to}`,
    });
  await queueLine(tx, line);
}

/** Stores that people were notified, for `desk alarms`. */
export async function recordReported(db: Pick<Tx, 'run'>, { notice, alarm }: AlarmMessage, at: Date): Promise<void> {
  const { key, kind, words, since } = alarm;
  await db.run('insert into alarm_told (id, at, notice, key, kind, words, since) values ($1, $2, $3, $4, $5, $6, $7)', [
    ...[newId(), at, notice, key, kind, words, since],
  ]);
}

/** Returns open alarms that people were notified of, the oldest first. */
export async function raised(tx: Pick<Tx, 'rows'>): Promise<Alarm[]> {
  return (await tx.rows<AlarmRow>('select * from alarm where notified_at is not null order by since, key')).map(fromRow);
}

/** True if an alarm has opened since a moment, even if it is over by now. */
export async function hasAlarmSince(tx: Pick<Tx, 'row'>, since: Date): Promise<boolean> {
  const opened = await tx.row(
    `select from alarm where since > $1 union all (select from alarm_told where since > $1 and notice = 'raised' limit 1) limit 1`,
    [since],
  );
  return opened !== undefined;
}

/** A message that was sent about an alarm. */
export interface SentMessage extends Found {
  readonly notice: AlarmMessage['notice'];
  readonly at: Date;
  readonly since: Date;
}

/** Returns the newest messages of the last months, the newest first. */
export async function reportedLately(tx: Pick<Tx, 'rows'>, max: number): Promise<SentMessage[]> {
  return tx.rows<SentMessage>('select key, kind, words, notice, at, since from alarm_told order by at desc, id desc limit $1', [
    max,
  ]);
}

/** Deletes messages older than 180 days. */
export async function forgetReported(db: Pick<Tx, 'run'>): Promise<void> {
  await db.run(`delete from alarm_told where at < clock_now() - interval '180 days'`);
}
