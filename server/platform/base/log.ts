// Logs, written by pino on standard output: one JSON object a line, with secrets hidden.

import { AsyncLocalStorage } from 'node:async_hooks';
import { type DestinationStream, type Logger, destination, pino } from 'pino';
import { reasonOf, redact, redactText } from './redact.ts';
import { Repeats } from './repeats.ts';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/** Ids in a log line. Each kind of id has one name; its value is one id or a list of ids. */
export type LogIds = {
  readonly [
    N in
      | 'requestId'
      | 'orderNumber'
      | 'payoutId'
      | 'attemptId'
      | 'payinId'
      | 'depositId'
      | 'withdrawalId'
      | 'callbackId'
      | 'eventId'
      | 'mailId'
      | `${string}Id`
  ]?: string | readonly string[];
};
/**
 * Field names that a log line must not use for ids. Each kind of id is logged under its name in `LogIds` only, so that one
 * search finds all lines about an id.
 */
type Unnamed = 'order' | 'payout' | 'attempt' | 'payin' | 'deposit' | 'withdrawal' | 'callback' | 'mail' | 'request';
export type LogFields = { readonly [name: string]: unknown } & LogIds & { readonly [N in Unnamed | `${Unnamed}s`]?: never };

/** Maximum size of log lines that wait in memory while the disk is full, in bytes. */
const MAX_WAITING = 1024 * 1024;

/** Ids that are added to all log lines of the current async context, such as those of a request. */
const about = new AsyncLocalStorage<Record<string, unknown>>();

interface Options {
  level: LogLevel;
  /** Fields of every line: the process's name. */
  fields: Readonly<Record<string, unknown>>;
  /** Receives each log line; by default standard output. */
  sink: (line: string) => void;
}

let output: DestinationStream | undefined;
let options: Options = { level: 'info', fields: {}, sink: (line) => void standardOutput().write(line) };
let root = make(options);
let repeats = new Repeats();

/**
 * Receives each alarm. `words`: the message. `subject`: the message and the rail or currency. `sentence`: the message, the rail
 * or currency, and the reason.
 */
type OnAlarm = (words: string, said: { readonly subject: string; readonly sentence: string }) => void;
let heard: OnAlarm = () => {};

function make({ level, fields, sink }: Options): Logger {
  return pino(
    {
      level,
      base: fields,
      messageKey: 'words',
      timestamp: () => `,"at":"${new Date().toISOString()}"`,
      mixin: () => ({ ...about.getStore() }),
      formatters: { level: (label) => ({ level: label }), log: redact },
      // `redact` has already turned errors into plain objects. A message of a library may still contain a URL with a secret.
      serializers: { err: (error: unknown) => error, words: redactText },
    },
    { write: sink },
  );
}

/**
 * Returns standard output, and opens it at the first call. A line that was cut off by a full disk is completed once there is
 * space. The process goes on if the other end of standard output is closed (such as a terminal).
 */
function standardOutput(): DestinationStream {
  output ??= opened(1);
  return output;
}

const opened = (dest: string | number): DestinationStream =>
  destination({ dest, sync: true, mkdir: true, maxLength: MAX_WAITING }).on('error', () => {});

/**
 * Sets the minimum level, the fields of every line (the process's name), the destination (a function, or a file) and the
 * receiver of alarms. Options that are left out stay unchanged.
 */
export function configureLog({ onAlarm, file, ...changed }: Partial<Options> & { file?: string; onAlarm?: OnAlarm }): void {
  if (onAlarm) heard = onAlarm;
  if (changed.sink !== undefined || file !== undefined) repeats = new Repeats();
  options = { ...options, ...changed };
  if (file !== undefined) {
    const to = opened(file);
    options = { ...options, sink: (line) => void to.write(line) };
  }
  root = make(options);
}

/** Runs `work` and adds `ids` to all its log lines. Within `work`, `alsoAbout` adds further ids. */
export const logAbout = <T>(ids: LogIds, work: () => T): T => about.run({ ...ids }, work);

/** Adds ids to all further log lines of the current `logAbout`, such as the one of a request. */
export function alsoAbout(ids: LogIds): void {
  Object.assign(about.getStore() ?? {}, ids);
}

/** Returns the id of the request that is being answered. */
export const requestId = (): string | undefined => about.getStore()?.['requestId'] as string | undefined;

/**
 * Returns the current logger for a library that expects a pino logger. Its `child` returns the same logger: `logAbout` already
 * adds the ids of a request, and creating a child for each request would cost more than many answers do.
 */
export function libraryLog(): Logger {
  const own = Object.create(root) as Logger;
  return Object.assign(own, { child: () => own });
}

/**
 * Usage: `log.info('rate snapshot stored', { version })`. The message is short and constant; everything variable belongs in the
 * fields. A repeated warning, error or alarm is written at once, and then once a minute with the number of repeats (`repeated`).
 */
export const log = {
  debug: (words: string, fields?: LogFields) => root.debug(fields, words),
  info: (words: string, fields?: LogFields) => root.info(fields, words),
  warn: (words: string, fields?: LogFields) => say('warn', words, fields),
  error: (words: string, fields?: LogFields) => say('error', words, fields),
  /**
   * Reports a problem that a person must handle. `words` names the problem; the fields name the payment system (`rail`) and the
   * reason.
   */
  alarm(words: string, fields?: LogFields): void {
    say('error', words, { ...fields, alarm: true });
    heard(words, saidOf(words, fields ?? {}));
  },
};

function say(level: 'warn' | 'error', words: string, fields: LogFields = {}): void {
  const counting = repeats;
  counting.say(words, fields, about.getStore() ?? {}, (said) => {
    // Skips repeats that were counted before the destination of the log was replaced.
    if (counting === repeats) root[level](said, words);
  });
}

/**
 * Returns an alarm's texts: `subject`, such as `payouts could not be prepared (bitcoin)`, and `sentence`, which adds the
 * reason: `payouts could not be prepared (bitcoin): no answer`.
 */
function saidOf(words: string, { rail, currency, reason, detail, error }: LogFields): Parameters<OnAlarm>[1] {
  const names = [rail, currency].filter((name) => typeof name === 'string').join(', ');
  const why = reason ?? detail ?? error;
  const subject = names === '' ? words : `${words} (${names})`;
  return { subject, sentence: why === undefined ? subject : `${subject}: ${reasonOf(why)}` };
}

/** Returns a function that raises an alarm once per process for each `id`. */
export function alarmOnce(words: string): (id: string, fields: LogFields) => void {
  const reported = new Set<string>();
  return (id, fields) => {
    if (reported.has(id)) return;
    reported.add(id);
    log.alarm(words, fields);
  };
}
