import type { Locale } from './browser.ts';
import { isFullRun } from '../../tools/runner/full-run.ts';

/**
 * The languages in which a journey of an account runs: both in the full run, the given one in the quick run: they
 * take the same way through the same code, and half of the time.
 */
export const languages = (quick: Locale): readonly Locale[] => (isFullRun ? ['en', 'ru'] : [quick]);
