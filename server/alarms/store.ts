import { mail } from '../deliveries/index.ts';
import { type Tx, newId } from '../platform/index.ts';
import { type Alarm, type AlarmKind, type Decision, type Found, type AlarmMessage, decide } from './alarm.ts';
import type { Beating, Process } from './beat.ts';
import { storeWebhook, queueLine } from './deliver.ts';
import { settings } from './settings.ts';
import { writeNotice } from './notice-words.ts';

/** Returns the key of the alarm about a background loop of a process. */
export const loopKey = (by: Process, loop: string): string => `loop ${by} ${loop}`;

/** Kinds of alarms that concern one machine. Any other problem is the same for every machine. */
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
 * Stores the problems that a check has found, and queues messages about them in the same transaction. Messages go to each
 * mailbox, to the webhook if there is one, and into the file. `kinds`: the kinds that the check covers. `name`: name of the
 * product. `by`: the process that checks. This process decides only about alarms that concern all machines, its own machine or a
 * silent machine, and about its own loops. Returns the messages.
 */
export async function storeFindings(
  tx: Tx,
  kinds: readonly AlarmKind[],
  found: readonly Found[],
  { name, by }: { readonly name: string; readonly by: Beating },
): Promise<readonly AlarmMessage[]> {
  // Two workers may check at the same time. The lock makes the second one see the alarms that the first one has stored.
  await tx.run('lock table alarm in share row exclusive mode');
  const rows = await tx.rows<AlarmRow>(KNOWN, [kinds, `${loopKey(by.process, '')}%`, by.machine]);
  const remindHours = await settings.read(tx, 'alarms.remind_hours');
  const several = await tx.row('select from process_beat where machine <> $1 limit 1', [by.machine]);
  const machineOf = ({ kind }: Pick<Found, 'kind'>): string => (OF_ONE_MACHINE.includes(kind) ? by.machine : '');
  const named = found.map((one) => (several && machineOf(one) !== '' ? { ...one, words: `${one.words} (${by.machine})` } : one));
  const events: AlarmMessage[] = [];
  // A silent machine reports no problems, so its alarms end.
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
 * SQL: alarms that a process decides about. They concern all machines, its own machine, or a machine that has been silent for an
 * hour.
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

/** Stores a message that was sent to people, for `desk alarms`. */
export async function recordReported(db: Pick<Tx, 'run'>, { notice, alarm }: AlarmMessage, at: Date): Promise<void> {
  const { key, kind, words, since } = alarm;
  await db.run('insert into alarm_told (id, at, notice, key, kind, words, since) values ($1, $2, $3, $4, $5, $6, $7)', [
    ...[newId(), at, notice, key, kind, words, since],
  ]);
}

/** Returns open alarms about which people were notified, the oldest first. */
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

/** A message to people about an alarm, as it was sent. */
export interface SentMessage extends Found {
  readonly notice: AlarmMessage['notice'];
  readonly at: Date;
  readonly since: Date;
}

/** Returns the newest messages about alarms, the newest first, at most `max`. Messages are stored for 180 days. */
export async function reportedLately(tx: Pick<Tx, 'rows'>, max: number): Promise<SentMessage[]> {
  return tx.rows<SentMessage>('select key, kind, words, notice, at, since from alarm_told order by at desc, id desc limit $1', [
    max,
  ]);
}

/** Deletes messages about alarms that are older than 180 days. */
export async function forgetReported(db: Pick<Tx, 'run'>): Promise<void> {
  await db.run(`delete from alarm_told where at < clock_now() - interval '180 days'`);
}
