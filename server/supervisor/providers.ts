import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Config, ConfigError, requirePrivate, secret } from '../platform/index.ts';
import { type Providers, type Refused, openReferences, railsConfig } from '../rails/index.ts';

/**
 * What is said of providers: with real money by the operator, a file each in `KURS_DATA/providers`, called by its rail, in the
 * sandbox by the counterparts themselves. A provider without a file is absent. Refused, and no other with it, is one whose
 * file others may read, that is no JSON, or that names an address that isn't https: secrets are in there, and go there.
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

/** Why rails are not set up, as far as their settings say it by themselves: what people are told at the start. */
export function refusedBySettings(config: Config): Refused {
  return new Map([...railsConfig(config).refused, ...readSettings(join(config.KURS_DATA, 'providers')).refused]);
}

type Said = Required<Pick<Providers, 'settings' | 'refused'>>;

function sandboxSettings({ KURS_SANDBOX_PROVIDERS: text }: Config): Said {
  return { settings: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>), refused: new Map() };
}

function readSettings(folder: string): Said {
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

/** The message names the file and the field, and nothing of what is in it. */
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

/** Where addresses stand that anybody on the way could read. */
function openAddresses(value: unknown, at: readonly string[] = []): string[] {
  if (typeof value === 'string') return /^\s*http:/i.test(value) ? [at.join('.')] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, part]) => openAddresses(part, [...at, name]));
}
