import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Config, ConfigError, secret } from '../platform/index.ts';
import { type Providers, openReferences } from '../rails/index.ts';

/**
 * What is said of providers: with real money by the operator, a file each in `KURS_DATA/providers` (`payeer.json`), in the
 * sandbox by the counterparts themselves. A provider without a file is absent. Throws ConfigError for a file that is no JSON.
 */
export function providersOf(config: Config): Providers {
  const settings = config.KURS_MODE === 'sandbox' ? sandboxSettings(config) : readSettings(join(config.KURS_DATA, 'providers'));
  const key = secret(config.KURS_DATA, 'references.key');
  return {
    settings,
    partsOf: (rail) => ({
      reference: openReferences(key, rail),
      callbackUrl: `${config.BASE_URL}/api/v1/payment/${rail}/confirmation`,
      returnUrl: (label, locale, outcome) =>
        `${config.BASE_URL}/${locale === 'ru' ? 'Ru' : 'En'}/payment/${outcome}?id=${encodeURIComponent(label)}`,
    }),
  };
}

function sandboxSettings({ KURS_SANDBOX_PROVIDERS: text }: Config): Record<string, unknown> {
  return text === '' ? {} : (JSON.parse(text) as Record<string, unknown>);
}

function readSettings(folder: string): Record<string, unknown> {
  let files: string[];
  try {
    files = readdirSync(folder).filter((file) => file.endsWith('.json'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw error;
  }
  return Object.fromEntries(files.sort().map((file) => [file.slice(0, -'.json'.length), readJson(join(folder, file))]));
}

/** The message names the file and nothing of what is in it. */
function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    throw new ConfigError(`${file} is no JSON`);
  }
}
