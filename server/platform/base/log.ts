// Logs: one JSON object a line on standard output, by pino, with secrets hidden.

import { AsyncLocalStorage } from 'node:async_hooks';
import { type DestinationStream, type Logger, destination, pino } from 'pino';
import { reasonOf, redact, redactText } from './redact.ts';
import { Repeats } from './repeats.ts';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/** Ids that a line carries: one name for each kind, with one id or a list of them. */
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
/** Names that fields may not have: each kind of id has one name (`LogIds`), so that one search finds all lines about it. */
type Unnamed = 'order' | 'payout' | 'attempt' | 'payin' | 'deposit' | 'withdrawal' | 'callback' | 'mail' | 'request';
export type LogFields = { readonly [name: string]: unknown } & LogIds & { readonly [N in Unnamed | `${Unnamed}s`]?: never };

/** Most bytes of refused lines that wait for room on a full disk. */
const MAX_WAITING = 1024 * 1024;

/** Ids that all lines of the current work carry beside their own fields. */
const about = new AsyncLocalStorage<Record<string, unknown>>();

interface Options {
  level: LogLevel;
  /** Fields of every line: the process's name. */
  fields: Readonly<Record<string, unknown>>;
  /** Receives each line; standard output if absent. */
  sink: (line: string) => void;
}

let output: DestinationStream | undefined;
let options: Options = { level: 'info', fields: {}, sink: (line) => void standardOutput().write(line) };
let root = make(options);
let repeats = new Repeats();

/** Receives each alarm: its words, the words with their subject (a payment system), and both with the reason. */
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
      // `redact` has already turned errors into plain objects. The message of a library may still hold an address.
      serializers: { err: (error: unknown) => error, words: redactText },
    },
    { write: sink },
  );
}

/**
 * Standard output, opened with the first line. A line that a full disk cuts off is resumed once there is room. A reader that goes
 * first (a closed terminal) does not end the process.
 */
function standardOutput(): DestinationStream {
  output ??= opened(1);
  return output;
}

const opened = (dest: string | number): DestinationStream =>
  destination({ dest, sync: true, mkdir: true, maxLength: MAX_WAITING }).on('error', () => {});

/**
 * Sets the minimum level, the fields of every line (the process's name), where lines go (`file`: instead of standard output), and
 * the receiver of alarms.
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

/** Runs work whose lines all carry `ids`. `alsoAbout` adds further ids on the way. */
export const logAbout = <T>(ids: LogIds, work: () => T): T => about.run({ ...ids }, work);

/** Adds ids to all further lines of the current work, for example of a request. */
export function alsoAbout(ids: LogIds): void {
  Object.assign(about.getStore() ?? {}, ids);
}

/** Returns the id of the request that is being answered. */
export const requestId = (): string | undefined => about.getStore()?.['requestId'] as string | undefined;

/**
 * Returns the current logger, for a library that expects one of pino's. It is its own child: `logAbout` already adds the ids of a
 * request, and a child for each request would cost more than many answers do.
 */
export function libraryLog(): Logger {
  const own = Object.create(root) as Logger;
  return Object.assign(own, { child: () => own });
}

/**
 * Usage: `log.info('rate snapshot stored', { version })`, with short constant words and everything variable in the fields.
 * Repeated warnings, errors and alarms are written once, and then once a minute with their count (`repeated`).
 */
export const log = {
  debug: (words: string, fields?: LogFields) => root.debug(fields, words),
  info: (words: string, fields?: LogFields) => root.info(fields, words),
  warn: (words: string, fields?: LogFields) => say('warn', words, fields),
  error: (words: string, fields?: LogFields) => say('error', words, fields),
  /**
   * Reports something that a person must look at. The words name the problem; the fields name the payment system (`rail`) and the
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
    // Lines counted for a replaced sink belong in no other.
    if (counting === repeats) root[level](said, words);
  });
}

/** Returns an alarm with its subject, and with the reason: `payouts could not be prepared (bitcoin): no answer`. */
function saidOf(words: string, { rail, currency, reason, detail, error }: LogFields): Parameters<OnAlarm>[1] {
  const names = [rail, currency].filter((name) => typeof name === 'string').join(', ');
  const why = reason ?? detail ?? error;
  const subject = names === '' ? words : `${words} (${names})`;
  return { subject, sentence: why === undefined ? subject : `${subject}: ${reasonOf(why)}` };
}

/** Returns a function that raises an alarm once per process for each subject, which `id` names. */
export function alarmOnce(words: string): (id: string, fields: LogFields) => void {
  const reported = new Set<string>();
  return (id, fields) => {
    if (reported.has(id)) return;
    reported.add(id);
    log.alarm(words, fields);
  };
}
