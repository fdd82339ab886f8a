import { test } from 'node:test';

/** True in `npm run test:full`. */
export const isFullRun = process.env['KURS_TEST_FULL'] !== undefined;

/** A test of the full run alone: another journey covers most of it, or its rule has a test without a browser. */
export function inFullRun(name: string, work: () => Promise<unknown>): void {
  if (isFullRun) test(name, async () => void (await work()));
}
