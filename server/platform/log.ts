// Logs: one JSON object a line on standard output, without anybody's secrets.

import { fstatSync, writeSync } from 'node:fs';
import { redact } from './redact.ts';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';
export type LogFields = Record<string, unknown>;

const RANK: Record<LogLevel, number> = { debug: 10, info: 20, warn: 30, error: 40 };
/** Lines wait this long to be written together; errors and the end of the process don't wait. */
const FLUSH_MS = 50;

let threshold = RANK.info;
let base: LogFields = {};
let pending = '';
let timer: NodeJS.Timeout | undefined;
let sink: (text: string) => void = writeOut;
let heard: (words: string) => void = () => {};
let isFile: boolean | undefined;
let isCut = false;

/** Sets the least level written, the fields every line carries (the process's name), and who hears of each alarm. */
export function configureLog(options: {
  level?: LogLevel;
  fields?: LogFields;
  sink?: (text: string) => void;
  onAlarm?: (words: string) => void;
}): void {
  if (options.level) threshold = RANK[options.level];
  if (options.fields) base = options.fields;
  if (options.sink) sink = options.sink;
  if (options.onAlarm) heard = options.onAlarm;
}

/** Writes what is waiting. */
export function flushLog(): void {
  clearTimeout(timer);
  timer = undefined;
  if (!pending) return;
  const text = pending;
  pending = '';
  sink(text);
}

/** To a file line by line: of what a full disk cuts off nothing is missed, and behind it the next line begins anew. */
function writeOut(text: string): void {
  isFile ??= fstatSync(1).isFile();
  if (!isFile) return void process.stdout.write(text);
  const bytes = Buffer.from(isCut ? `\n${text}` : text);
  let written = 0;
  try {
    while (written < bytes.length) written += writeSync(1, bytes, written);
  } catch {
    // No room: the log isn't worth a stop.
  }
  if (written > 0) isCut = bytes[written - 1] !== 10;
}

function write(level: LogLevel, words: string, fields?: LogFields): void {
  if (RANK[level] < threshold) return;
  const line = { at: new Date().toISOString(), level, words, ...base, ...(fields && redact(fields)) };
  pending += JSON.stringify(line, (_key, value) => (typeof value === 'bigint' ? String(value) : value)) + '\n';
  if (level === 'error' || pending.length > 65_536) flushLog();
  else timer ??= setTimeout(flushLog, FLUSH_MS).unref();
}

/** `log.info('rate snapshot stored', { version })`: short constant words, everything variable in the fields. */
export const log = {
  debug: (words: string, fields?: LogFields) => write('debug', words, fields),
  info: (words: string, fields?: LogFields) => write('info', words, fields),
  warn: (words: string, fields?: LogFields) => write('warn', words, fields),
  error: (words: string, fields?: LogFields) => write('error', words, fields),
  /** Something a person must look at; the words say what. */
  alarm(words: string, fields?: LogFields): void {
    write('error', words, { ...fields, alarm: true });
    heard(words);
  },
};

process.on('exit', flushLog);
// The reader of our output may go first (a closed terminal, a full disk); that must not end the work.
process.stdout.on('error', () => {});
