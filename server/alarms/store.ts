import { mail } from '../deliveries/index.ts';
import { type Tx, newId } from '../platform/index.ts';
import { type Alarm, type AlarmKind, type Decision, type Found, type Told, decide } from './alarm.ts';
import type { Beating, Process } from './beat.ts';
import { keepWebhook, queueLine } from './deliver.ts';
import { settings } from './settings.ts';
import { writeTelling } from './telling.ts';

/** The key of the alarm for a loop of a process. */
export const loopKey = (by: Process, loop: string): string => `loop ${by} ${loop}`;

/** Kinds that a machine finds of itself; all others are seen alike by every machine. */
const OF_ONE_MACHINE: readonly AlarmKind[] = ['disk', 'signer', 'restarts', 'loop', 'logged', 'proxy'];

interface AlarmRow {
  key: string;
  machine: string;
  kind: AlarmKind;
  words: string;
  since: Date;
  told_at: Date | null;
  gone_since: Date | null;
}

const fromRow = ({ key, kind, words, since, told_at: toldAt, gone_since: goneSince }: AlarmRow): Alarm => ({
  ...{ key, kind, words, since },
  ...(toldAt && { toldAt }),
  ...(goneSince && { goneSince }),
});

/**
 * Keeps what a look has found, of the kinds that it has looked for, and queues what is told of it in the same transaction: to
 * each mailbox, to the webhook if there is one, and into the file. `name`: the product's; `by`: the process that looks, which
 * knows of loops only its own, and of what one machine finds only its machine's; and what a machine found that is gone since.
 * Gives what is told.
 */
export async function keepFound(
  tx: Tx,
  kinds: readonly AlarmKind[],
  found: readonly Found[],
  { name, by }: { readonly name: string; readonly by: Beating },
): Promise<readonly Told[]> {
  // Two workers may look at once: the second decides upon what the first has kept.
  await tx.run('lock table alarm in share row exclusive mode');
  const rows = await tx.rows<AlarmRow>(KNOWN, [kinds, `${loopKey(by.process, '')}%`, by.machine]);
  const remindHours = await settings.read(tx, 'alarms.remind_hours');
  const several = await tx.row('select from process_beat where machine <> $1 limit 1', [by.machine]);
  const machineOf = ({ kind }: Pick<Found, 'kind'>): string => (OF_ONE_MACHINE.includes(kind) ? by.machine : '');
  const named = found.map((one) => (several && machineOf(one) !== '' ? { ...one, words: `${one.words} (${by.machine})` } : one));
  const told: Told[] = [];
  // What a machine left behind that is gone is nobody's finding any more.
  for (const machine of new Set([...rows.map((row) => row.machine), ...named.map(machineOf)])) {
    const decision = decide(
      rows.filter((row) => row.machine === machine).map(fromRow),
      named.filter((one) => machineOf(one) === machine),
      tx.now,
      remindHours,
    );
    await save(tx, machine, decision);
    told.push(...decision.told);
  }
  await keepWebhook(tx);
  for (const one of told) await tell(tx, one, name);
  return told;
}

/**
 * What a process may decide about: what all machines see alike, its own machine's alarms, and those that silent machines
 * left behind.
 */
const KNOWN = `
  select * from alarm
  where kind = any($1) and (kind <> 'loop' or key like $2 or machine <> $3)
    and (machine in ('', $3) or machine not in (select machine from process_beat where at > now() - interval '1 hour'))
  order by key`;

async function save(tx: Tx, machine: string, { keep, forget }: Decision): Promise<void> {
  await tx.run('delete from alarm where machine = $1 and key = any($2)', [machine, forget]);
  await tx.run(
    `insert into alarm (key, kind, words, since, told_at, gone_since, machine)
     select *, $7 from unnest($1::text[], $2::text[], $3::text[], $4::timestamptz[], $5::timestamptz[], $6::timestamptz[])
     on conflict (key, machine) do update
     set words = excluded.words, told_at = excluded.told_at, gone_since = excluded.gone_since`,
    [
      keep.map(({ key }) => key),
      keep.map(({ kind }) => kind),
      keep.map(({ words }) => words),
      keep.map(({ since }) => since),
      keep.map(({ toldAt }) => toldAt ?? null),
      keep.map(({ goneSince }) => goneSince ?? null),
      machine,
    ],
  );
}

async function tell(tx: Tx, told: Told, name: string): Promise<void> {
  await recordTold(tx, told, tx.now);
  const { letter, line } = writeTelling(told, name, tx.now);
  for (const to of await settings.read(tx, 'alarms.mail'))
    mail.queue(tx, {
      ...letter,
      to,
      key: `alarm ${told.alarm.key} ${told.telling} ${tx.now.getTime()} ${to}`,
    });
  await queueLine(tx, line);
}

/** Writes down that people were told of an alarm, for `desk alarms`. */
export async function recordTold(db: Pick<Tx, 'run'>, { telling, alarm }: Told, at: Date): Promise<void> {
  const { key, kind, words, since } = alarm;
  await db.run('insert into alarm_told (id, at, telling, key, kind, words, since) values ($1, $2, $3, $4, $5, $6, $7)', [
    ...[newId(), at, telling, key, kind, words, since],
  ]);
}

/** The alarms of now that people were told of, the oldest first. */
export async function raised(tx: Pick<Tx, 'rows'>): Promise<Alarm[]> {
  return (await tx.rows<AlarmRow>('select * from alarm where told_at is not null order by since, key')).map(fromRow);
}

/** True if an alarm has opened since a moment, even one that is over by now. */
export async function hasAlarmSince(tx: Pick<Tx, 'row'>, since: Date): Promise<boolean> {
  const opened = await tx.row(
    `select from alarm where since > $1 union all (select from alarm_told where since > $1 and telling = 'raised' limit 1) limit 1`,
    [since],
  );
  return opened !== undefined;
}

/** Something that people were told of an alarm. */
export interface ToldOnce extends Found {
  readonly telling: Told['telling'];
  readonly at: Date;
  readonly since: Date;
}

/** What people were told within the last months, the newest first, so many of it. */
export async function toldLately(tx: Pick<Tx, 'rows'>, most: number): Promise<ToldOnce[]> {
  return tx.rows<ToldOnce>('select key, kind, words, telling, at, since from alarm_told order by at desc, id desc limit $1', [
    most,
  ]);
}

/** Forgets what was told so long ago that nobody asks for it. */
export async function forgetTold(db: Pick<Tx, 'run'>): Promise<void> {
  await db.run(`delete from alarm_told where at < clock_now() - interval '180 days'`);
}
