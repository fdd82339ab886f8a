import type { Locale } from './browser.ts';

/**
 * The languages that a journey of an account is gone in: both in the full run. In the quick one that which is given: they
 * take the same way through the same code, and half of the time.
 */
export const languages = (quick: Locale): readonly Locale[] => (process.env['KURS_TEST_FULL'] ? ['en', 'ru'] : [quick]);
