import { readFileSync } from 'node:fs';
import { type Screener, openHttpScreener } from '../compliance/index.ts';
import { type Config, ConfigError, requirePrivate } from '../platform/index.ts';

/**
 * Opens the configured screening service; undefined for none. Throws a `ConfigError` if its key is missing or readable by other
 * users: without answers of the service every payment would be held.
 */
export function screenerOf({
  KURS_SCREENING_URL: url,
  KURS_SCREENING_KEY_FILE: file,
}: Pick<Config, 'KURS_SCREENING_URL' | 'KURS_SCREENING_KEY_FILE'>): Screener | undefined {
  if (url === '') return undefined;
  if (file === '') throw new ConfigError('KURS_SCREENING_KEY_FILE is needed with KURS_SCREENING_URL');
  return openHttpScreener({ url, key: keyIn(file) });
}

function keyIn(file: string): string {
  let key: string;
  try {
    requirePrivate(file);
    key = readFileSync(file, 'utf8').trim();
  } catch (error) {
    throw error instanceof ConfigError ? error : new ConfigError(`KURS_SCREENING_KEY_FILE: ${file} can't be read`);
  }
  if (!/^[\x21-\x7e]{8,500}$/.test(key)) throw new ConfigError(`KURS_SCREENING_KEY_FILE: ${file} holds no key of one line`);
  return key;
}
