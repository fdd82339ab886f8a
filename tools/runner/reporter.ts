// A node:test reporter for tools/test.ts: one JSON line per finished test, and one per note of a test.

import { isAbsolute, join } from 'node:path';
import type { TestEvent } from 'node:test/reporters';

/** A finished test; one with an `error` failed. */
export type Line = { file: string; name: string; ms: number; error?: string };

/** A text that a test gave to `t.diagnostic`. */
export type Note = { file: string; note: string };

const SUITES = join(import.meta.dirname, 'suites.ts');

type Ended = {
  name: string;
  file?: string;
  nesting: number;
  skip?: string | boolean;
  todo?: string | boolean;
  details: { duration_ms: number; type?: string; error?: Error & { cause?: unknown } };
};

/** Turns node:test's events into lines and notes. Suites count by their tests; a skipped test counts as a failed one. */
export default async function* report(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const path: string[] = [];
  for await (const event of events) {
    if (event.type === 'test:start') {
      const { name, nesting } = event.data;
      path.length = nesting;
      path[nesting] = name;
    }
    if (event.type === 'test:diagnostic') {
      const { file, message } = event.data;
      if (file !== undefined && file !== SUITES) yield `${JSON.stringify({ file, note: message } satisfies Note)}\n`;
      // Node counts tests in such messages too. An error is one that a test left behind when it was over.
      else if (message.startsWith('Error: ')) yield `${message}\n`;
    }
    if (event.type !== 'test:pass' && event.type !== 'test:fail') continue;
    const ended = event.data as unknown as Ended;
    const error = errorOf(event.type, ended);
    if (ended.details.type === 'suite' && (!error || isByItsTests(ended))) continue;
    const { file, names } = placeOf(ended, [...path.slice(0, ended.nesting), ended.name]);
    const line: Line = { file, name: names.join(' › '), ms: ended.details.duration_ms, ...(error && { error }) };
    yield `${JSON.stringify(line)}\n`;
  }
}

/** The file of a test: the one whose suite (suites.ts) it is in, which may have it from a contract, or its own. */
function placeOf({ file = '' }: Ended, names: string[]): { file: string; names: string[] } {
  const [first = '', ...others] = names;
  if (!isAbsolute(first)) return { file, names };
  return { file: first, names: others.length > 0 ? others : names };
}

function errorOf(type: 'test:pass' | 'test:fail', { details, skip, todo }: Ended): string | undefined {
  if (skip !== undefined && skip !== false) return 'a test must not be skipped';
  if (todo !== undefined && todo !== false) return 'a test must not be put off';
  if (type === 'test:pass') return undefined;
  const cause = details.error?.cause ?? details.error;
  if (!(cause instanceof Error)) return String(cause);
  // The refused fields of a call are printed nowhere else.
  const { stack = cause.message, errors } = cause as Error & { errors?: unknown };
  return errors === undefined ? stack : `${JSON.stringify(errors)}\n${stack}`;
}

/** True of a suite that failed only because tests in it failed, which have their own lines. */
const isByItsTests = ({ details }: Ended): boolean => /^\d+ subtests? failed$/.test(details.error?.message ?? '');
