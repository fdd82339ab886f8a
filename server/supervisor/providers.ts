import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Config, ConfigError, requirePrivate, secret } from '../platform/index.ts';
import { type Providers, type Refused, openReferences, railsConfig } from '../rails/index.ts';

/**
 * Returns the settings of providers. In live mode the operator writes a file for each in `KURS_DATA/providers`, named after its
 * rail; in the sandbox the simulated providers supply them. A provider without a file is absent. A provider is refused, and no
 * other with it, if its file is readable by other users, is no JSON, or contains an address without https: the file holds secrets
 * that are sent there.
 */
export function providersOf(config: Config): Providers {
  const said = config.KURS_MODE === 'sandbox' ? sandboxSettings(config) : readSettings(join(config.KURS_DATA, 'providers'));
  const key = secret(config.KURS_DATA, 'references.key');
  return {
    ...said,
    contextOf: (rail) => ({
      reference: openReferences(key, rail),
      webhookUrl: `${config.KURS_API_URL}/api/v1/payment/${rail}/confirmation`,
      siteUrl: (path) => `${config.BASE_URL}${path}`,
    }),
  };
}

/** Returns the reasons why rails are not set up, as far as their settings show them, for messages at the start. */
export function refusedBySettings(config: Config): Refused {
  return new Map([...railsConfig(config).refused, ...readSettings(join(config.KURS_DATA, 'providers')).refused]);
}

type ProviderSettings = Required<Pick<Providers, 'settings' | 'refused'>>;

function sandboxSettings({ KURS_SANDBOX_PROVIDERS: text }: Config): ProviderSettings {
  return { settings: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>), refused: new Map() };
}

function readSettings(folder: string): ProviderSettings {
  const [settings, refused]: [Record<string, unknown>, Map<string, string>] = [{}, new Map()];
  for (const file of filesIn(folder)) {
    const rail = file.slice(0, -'.json'.length);
    try {
      settings[rail] = readJson(join(folder, file));
    } catch (error) {
      refused.set(rail, error instanceof ConfigError ? error.message : `${join(folder, file)} can't be read`);
    }
  }
  return { settings, refused };
}

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((file) => file.endsWith('.json'))
      .sort();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

/** Reads a JSON file. Error messages name the file and the field, never the content. */
function readJson(file: string): unknown {
  requirePrivate(file);
  const text = readFileSync(file, 'utf8');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new ConfigError(`${file} is no JSON`);
  }
  const [open] = openAddresses(value);
  if (open !== undefined) throw new ConfigError(`${file}: ${open} must begin with https`);
  return value;
}

/** Returns the fields with unencrypted addresses. */
function openAddresses(value: unknown, at: readonly string[] = []): string[] {
  if (typeof value === 'string') return /^\s*http:/i.test(value) ? [at.join('.')] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, part]) => openAddresses(part, [...at, name]));
}
