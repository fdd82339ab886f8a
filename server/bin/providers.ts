import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Config, ConfigError, secret } from '../platform/index.ts';
import { type Providers, openReferences } from '../rails/index.ts';

/**
 * What is said of providers: with real money by the operator, a file each in `KURS_DATA/providers` (`payeer.json`), in the
 * sandbox by the counterparts themselves. A provider without a file is absent. Throws ConfigError for a file that is no JSON, and for one
 * with an address that isn't https: secrets go there.
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

/** The message names the file and the field, and nothing of what is in it. */
function readJson(file: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    throw new ConfigError(`${file} is no JSON`);
  }
  const [open] = openAddresses(value);
  if (open !== undefined) throw new ConfigError(`${file}: ${open} must begin with https`);
  return value;
}

/** Where addresses stand that anybody on the way could read. */
function openAddresses(value: unknown, at: readonly string[] = []): string[] {
  if (typeof value === 'string') return /^\s*http:/i.test(value) ? [at.join('.')] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, part]) => openAddresses(part, [...at, name]));
}
