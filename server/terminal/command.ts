// Error handling of all commands: refusals are printed in words, faults of the program with their trace.

import { Problem } from '@kurs/contract';
import { CallError } from '@kurs/contract/client';
import { ConfigError, FolderInUse, UnreadableBackup, reasonOf } from '../platform/index.ts';

/** An error that the person at the terminal can correct: a missing argument, a missing file. */
export class UsageError extends Error {}

/** Runs a command. If it throws, prints the reason to standard error and sets exit code 1. */
export async function runCommand(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    process.stderr.write(`${wordsOf(error)}\n`);
    process.exitCode = 1;
  }
}

const PLAIN = [ConfigError, FolderInUse, UnreadableBackup, UsageError];

function wordsOf(error: unknown): string {
  if (error instanceof CallError) return callWords(error);
  if (!(error instanceof Error)) return String(error);
  if (PLAIN.some((kind) => error instanceof kind)) return error.message;
  return fileWords(error) ?? databaseWords(error) ?? error.stack ?? error.message;
}

/** Error codes of a missing connection, and of a role, password or database that PostgreSQL refuses. */
const NO_DATABASE: ReadonlySet<string> = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'EAI_AGAIN', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH'],
  ...['28P01', '28000', '3D000', '53300', '57P03', '57P01'],
]);

function databaseWords(error: Error): string | undefined {
  const isAway = error instanceof Problem && error.code === 'unavailable';
  const cause = isAway ? (error.details.cause ?? error) : error;
  const [first = cause] = cause instanceof AggregateError ? (cause.errors as unknown[]) : [];
  const { code = '', path } = cause as NodeJS.ErrnoException;
  if (!isAway && (!NO_DATABASE.has(code) || path !== undefined)) return undefined;
  return `The database can’t be used: ${reasonOf(first)}. Is it running? Its address is DATABASE_URL; on a machine with one role KURS_APP_DATABASE_URL or KURS_SIGNER_DATABASE_URL.`;
}

const FILES: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  EEXIST: 'exists already and is not overwritten: name another file',
  EACCES: 'can’t be read or written by this user',
  EISDIR: 'is a folder: name a file',
  ENOTDIR: 'can’t be: a part of its path is a file',
  ENOSPC: 'can’t be written: the disk is full',
};

function fileWords(error: Error): string | undefined {
  const { code = '', path } = error as NodeJS.ErrnoException;
  return path !== undefined && Object.hasOwn(FILES, code) ? `${path} ${FILES[code]}.` : undefined;
}

function callWords(error: CallError): string {
  const fields = Object.entries(error.errors).map(([field, words]) => `  ${field}: ${[...new Set(words)].join(' ')}`);
  // The fields' words already say everything that the message would.
  return `${fields.length > 0 ? fields.join('\n').trimStart() : error.message} (${error.code})`;
}
