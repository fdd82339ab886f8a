import type { Locale } from './browser.ts';
import { isFullRun } from '../../tools/runner/full-run.ts';

/**
 * Returns the languages in which a journey of an account runs: both in the full run, and only the given one in the quick run,
 * since both run the same code.
 */
export const languages = (quick: Locale): readonly Locale[] => (isFullRun ? ['en', 'ru'] : [quick]);
