// Logs: one JSON object a line on standard output, by pino, without anybody's secrets.

import { AsyncLocalStorage } from 'node:async_hooks';
import { type DestinationStream, type Logger, destination, pino } from 'pino';
import { reasonOf, redact, redactText } from './redact.ts';
import { Repeats } from './repeats.ts';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/** What a line says of what it is about: one name for each, and one id or a list of them. */
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
/** What a line's fields are never called: ids have one name each (`LogIds`), so that one search finds all of them. */
type Unnamed = 'order' | 'payout' | 'attempt' | 'payin' | 'deposit' | 'withdrawal' | 'callback' | 'mail' | 'request';
export type LogFields = { readonly [name: string]: unknown } & LogIds & { readonly [N in Unnamed | `${Unnamed}s`]?: never };

/** How much of the lines that a full disk refuses is kept until there is room. */
const MOST_WAITING = 1024 * 1024;

/** What the lines of the work that is going on say beside their own fields. */
const about = new AsyncLocalStorage<Record<string, unknown>>();

interface Options {
  level: LogLevel;
  /** What every line carries: the process's name. */
  fields: Readonly<Record<string, unknown>>;
  /** Takes each line; standard output without. */
  sink: (line: string) => void;
}

let output: DestinationStream | undefined;
let options: Options = { level: 'info', fields: {}, sink: (line) => void standardOutput().write(line) };
let root = make(options);
let repeats = new Repeats();

/** Hears of each alarm: its words, the same with what they are about (a payment system), and with the reason. */
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
      // `redact` has made plain objects of errors; a library's own words may hold an address.
      serializers: { err: (error: unknown) => error, words: redactText },
    },
    { write: sink },
  );
}

/**
 * Standard output, opened with the first line. What a full disk cuts off is written on as soon as there is room; that
 * the reader goes first (a closed terminal, a full disk) must not end the work.
 */
function standardOutput(): DestinationStream {
  output ??= opened(1);
  return output;
}

const opened = (dest: string | number): DestinationStream =>
  destination({ dest, sync: true, mkdir: true, maxLength: MOST_WAITING }).on('error', () => {});

/**
 * Sets the least level written, the fields every line carries (the process's name), where lines go (`file`: instead of
 * standard output), and who hears of each alarm.
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

/** Runs work whose lines all say `ids`; what it learns on its way is added by `alsoAbout`. */
export const logAbout = <T>(ids: LogIds, work: () => T): T => about.run({ ...ids }, work);

/** Adds to each further log line of the current work (a request, for example) what it is about. */
export function alsoAbout(ids: LogIds): void {
  Object.assign(about.getStore() ?? {}, ids);
}

/** The id of the request that is being answered. */
export const requestId = (): string | undefined => about.getStore()?.['requestId'] as string | undefined;

/**
 * The logger for a library that takes one of pino's, as it is configured by now. It is its own child: what a request's
 * lines say is known by `logAbout`, and a child for each request costs more than many answers do.
 */
export function libraryLog(): Logger {
  const own = Object.create(root) as Logger;
  return Object.assign(own, { child: () => own });
}

/**
 * `log.info('rate snapshot stored', { version })`: short constant words, everything variable in the fields. Warnings, errors
 * and alarms that repeat are written once, and then once a minute with how often meanwhile (`repeated`).
 */
export const log = {
  debug: (words: string, fields?: LogFields) => root.debug(fields, words),
  info: (words: string, fields?: LogFields) => root.info(fields, words),
  warn: (words: string, fields?: LogFields) => say('warn', words, fields),
  error: (words: string, fields?: LogFields) => say('error', words, fields),
  /** Something a person must look at; the words say what, and the fields by which payment system (`rail`) and why. */
  alarm(words: string, fields?: LogFields): void {
    say('error', words, { ...fields, alarm: true });
    heard(words, saidOf(words, fields ?? {}));
  },
};

function say(level: 'warn' | 'error', words: string, fields: LogFields = {}): void {
  const counting = repeats;
  counting.say(words, fields, about.getStore() ?? {}, (said) => {
    // What was counted for a sink that is replaced by now belongs in no other.
    if (counting === repeats) root[level](said, words);
  });
}

/** An alarm with what it is about, and with why: `payouts could not be prepared (bitcoin): no answer`. */
function saidOf(words: string, { rail, currency, reason, detail, error }: LogFields): Parameters<OnAlarm>[1] {
  const names = [rail, currency].filter((name) => typeof name === 'string').join(', ');
  const why = reason ?? detail ?? error;
  const subject = names === '' ? words : `${words} (${names})`;
  return { subject, sentence: why === undefined ? subject : `${subject}: ${reasonOf(why)}` };
}

/** Makes an alarm that is raised once in a process for each thing that it is about, which `id` names. */
export function alarmOnce(words: string): (id: string, fields: LogFields) => void {
  const told = new Set<string>();
  return (id, fields) => {
    if (told.has(id)) return;
    told.add(id);
    log.alarm(words, fields);
  };
}
