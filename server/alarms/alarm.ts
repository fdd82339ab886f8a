/** Kinds of alarms. */
export type AlarmKind =
  | 'database'
  | 'rates'
  | 'rail'
  | 'right'
  | 'late_polls'
  | 'reserve'
  | 'pot'
  | 'doubt'
  | 'unrecorded'
  | 'books'
  | 'business'
  | 'debt'
  | 'held'
  | 'disk'
  | 'worker'
  | 'api'
  | 'console'
  | 'signer'
  | 'restarts'
  | 'restored'
  | 'loop'
  | 'overdue'
  | 'certificate'
  | 'webhook'
  | 'mail'
  | 'proxy'
  | 'logged';

/** A problem that a check has found. */
export interface Found {
  /** Key of the alarm, such as `rail evm`. Findings with the same key are the same alarm, even if their words differ. */
  readonly key: string;
  readonly kind: AlarmKind;
  /** One sentence for people about the problem, with figures. */
  readonly words: string;
}

/** A stored alarm. */
export interface Alarm extends Found {
  readonly since: Date;
  /** Time of the last message to people; absent if there was no message yet. */
  readonly reportedAt?: Date;
  /** Time since which checks no longer find the problem; absent while they do. */
  readonly goneSince?: Date;
}

/** Kinds of messages about an alarm. */
export type MessageKind = 'raised' | 'reminder' | 'over';

export interface AlarmMessage {
  readonly notice: MessageKind;
  readonly alarm: Alarm;
}

/** Result of `decide`: alarms to store, keys of alarms to delete, and messages to send. */
export interface Decision {
  readonly store: readonly Alarm[];
  readonly forget: readonly string[];
  readonly reported: readonly AlarmMessage[];
}

/** Seconds that a problem of each kind must last before people are notified. Most problems end without help. */
export const PATIENCE_SECONDS: Readonly<Record<AlarmKind, number>> = {
  database: 30,
  rates: 60,
  rail: 120,
  right: 0,
  late_polls: 120,
  reserve: 120,
  pot: 0,
  doubt: 600,
  unrecorded: 0,
  books: 0,
  business: 0,
  debt: 0,
  held: 0,
  disk: 0,
  worker: 0,
  api: 0,
  console: 0,
  signer: 60,
  restarts: 0,
  restored: 0,
  loop: 0,
  overdue: 120,
  certificate: 0,
  webhook: 120,
  mail: 120,
  proxy: 0,
  logged: 0,
};

/**
 * Names of the checks for problems. `worker`, `api`: run by that process. `certificate`: run hourly by the worker. `database`:
 * run in each process by `watchDatabase`.
 */
type Poll = 'worker' | 'certificate' | 'api' | 'database';

/** Checks that find each kind of alarm. People would never be notified of a kind without a check. */
const FOUND_BY: Readonly<Record<AlarmKind, readonly Poll[]>> = {
  database: ['database'],
  rates: ['worker'],
  rail: ['worker'],
  right: ['worker'],
  late_polls: ['worker'],
  reserve: ['worker'],
  pot: ['worker'],
  doubt: ['worker'],
  unrecorded: ['worker'],
  books: ['worker'],
  business: ['worker'],
  debt: ['worker'],
  held: ['worker'],
  disk: ['worker'],
  worker: ['api'],
  api: ['worker'],
  console: ['worker'],
  signer: ['worker'],
  restarts: ['worker', 'api'],
  restored: ['worker'],
  loop: ['worker', 'api'],
  overdue: ['worker'],
  certificate: ['certificate'],
  webhook: ['worker'],
  mail: ['worker'],
  proxy: ['api'],
  logged: ['worker'],
};

/** Returns the kinds of alarms that a check finds. */
export const kindsOf = (poll: Poll): AlarmKind[] =>
  (Object.keys(FOUND_BY) as AlarmKind[]).filter((kind) => FOUND_BY[kind].includes(poll));

/** Advice for each kind of alarm, in one line. docs/operations.md says more. */
export const TO_DO: Readonly<Record<AlarmKind, string>> = {
  database: 'See log/keeper.log, or the log of your own PostgreSQL. Everything resumes automatically once the database answers.',
  rates: 'Check whether this machine can reach the markets. Exchanges resume automatically.',
  rail: 'Check the node or the provider. Sends in doubt are never repeated.',
  right: 'Ask the provider for it. What waits goes on automatically within a minute once it is granted.',
  late_polls: 'Raise `payments.calls_per_second`, or give the rail a faster server.',
  reserve: 'Send money there (`desk capital` shows the address), or switch the direction off.',
  pot: 'Set more money aside for it: `desk pot`.',
  doubt: 'See `desk doubts`: two people decide by the provider’s statement.',
  unrecorded: 'Stop every other machine with these keys. Then see `desk restored`: two people book or explain each send.',
  books: 'Find the cause in the provider’s statement, then `desk difference`.',
  business: 'See `desk businesses`, and ask the shop. `desk business ID suspend` stops it.',
  debt: 'See `desk debts`, and `desk business ID`: a debt is repaid by later payments, or two people write it off.',
  held: 'See `desk held` and `desk waiting`: compliance releases, refuses or freezes each of them.',
  disk: 'Free disk space: a full disk stops signing.',
  worker: 'See log/worker.log; the supervisor restarts a worker that ends.',
  api: 'See log/api.log; the supervisor restarts an api that ends.',
  console: 'See log/console.log; the supervisor restarts a console that ends.',
  signer: 'See log/signer.log, and check the free disk space for the folder of keys.',
  restarts: 'See its log, and log/supervisor.log for the time and signal of its ends.',
  restored: 'See `desk restored`, and "Restore" in docs/operations.md; two people end it by `desk end-restored`.',
  loop: 'See `sweeper failed` in the log of its process; restart the process if a loop hangs.',
  overdue: 'See the log of the worker: its loop fails, or no worker runs.',
  certificate: 'Renew the certificate and reload the proxy.',
  webhook: 'Check `alarms.webhook` and `alarms.chat`. Waiting messages are posted automatically once they are accepted.',
  mail: 'Check SMTP_URL and the mail server. Waiting letters are sent automatically once they are accepted.',
  proxy: 'Add that proxy, and no other, to TRUST_PROXY.',
  logged: 'Read the lines with "alarm":true of that hour in the folder of logs.',
};

/** Seconds without the problem after which an alarm is over. Until then a problem that comes back belongs to the same alarm. */
const CALM_SECONDS = 60;

const secondsBetween = (from: Date, to: Date): number => (to.getTime() - from.getTime()) / 1_000;

/**
 * Decides about the stored alarms (`known`), given the problems that a check has found at `now`. People get a first message about
 * an alarm, then a reminder each `remindHours`, and one when the alarm is over. A problem that ends before its first message is
 * never reported. Pure.
 */
export function decide(known: readonly Alarm[], found: readonly Found[], now: Date, remindHours: number): Decision {
  const before = new Map(known.map((alarm) => [alarm.key, alarm]));
  const there = new Map(found.map((one) => [one.key, one]));
  const events: AlarmMessage[] = [];
  const lasting = [...there.values()].map((one): Alarm => {
    const { since = now, reportedAt } = before.get(one.key) ?? {};
    const alarm: Alarm = { ...one, since, ...(reportedAt && { reportedAt }) };
    const isDue = reportedAt
      ? secondsBetween(reportedAt, now) >= remindHours * 3_600
      : secondsBetween(since, now) >= PATIENCE_SECONDS[one.kind];
    if (!isDue) return alarm;
    events.push({ notice: reportedAt ? 'reminder' : 'raised', alarm });
    return { ...alarm, reportedAt: now };
  });
  const away = known
    .filter(({ key }) => !there.has(key))
    .map((alarm): Alarm => ({ ...alarm, goneSince: alarm.goneSince ?? now }));
  const isOver = ({ reportedAt, goneSince = now }: Alarm): boolean =>
    !reportedAt || secondsBetween(goneSince, now) >= CALM_SECONDS;
  for (const alarm of away) if (isOver(alarm) && alarm.reportedAt) events.push({ notice: 'over', alarm });
  return {
    store: [...lasting, ...away.filter((alarm) => !isOver(alarm))],
    forget: away.filter(isOver).map(({ key }) => key),
    reported: events,
  };
}
