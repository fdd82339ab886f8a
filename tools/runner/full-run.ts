import { test } from 'node:test';

/** Whether everything runs, and not only what fits in some minutes. */
export const isFullRun = process.env['KURS_TEST_FULL'] !== undefined;

/** A test of the full run alone: most of its way is gone by another journey, or its rule has a test without a browser. */
export function inFullRun(name: string, work: () => Promise<unknown>): void {
  if (isFullRun) test(name, async () => void (await work()));
}
