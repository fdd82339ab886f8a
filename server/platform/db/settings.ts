// Settings: values that operators change while the product runs. Each room declares its own settings, with schema, default and
// description.
//
// `get` reads this process's snapshot of all settings, which is usually at most half a second old. `read` reads the current
// value inside a transaction, for settings whose outdated value would do harm. A setting that was never changed has no row.

import { type Problem, fieldProblem } from '@kurs/contract';
import type { z } from 'zod';
import type { Db, Statements, Tx } from './db.ts';
import { log } from '../base/log.ts';
import { type Looser, isLooser } from './loosening.ts';
import { type StoredSetting, believed, settingMac } from './setting-macs.ts';
import { boundsOf, valueOf } from './setting-text.ts';
import { every } from '../base/sweeper.ts';
import { onWake, wake } from './wakes.ts';

export type Setting<S extends z.ZodType = z.ZodType> = {
  schema: S;
  initial: z.output<S>;
  /** Description for operators: "minutes a rate stays locked". */
  words: string;
  /** Unit of the numbers in the value; absent if there is none. */
  unit?: string;
  /** Changes of this setting that take two people. */
  looser: Looser;
};
type Declared = Record<string, Setting>;
type Value<D extends Declared, K extends keyof D> = z.output<D[K]['schema']>;

export type Settings<D extends Declared> = {
  /** Returns the value from this process's snapshot, or the default before the first snapshot. */
  get<K extends keyof D & string>(key: K): Value<D, K>;
  /** Returns the current value, as seen by this transaction. */
  read<K extends keyof D & string>(tx: Statements, key: K): Promise<Value<D, K>>;
  /** Stores a value, and adds it to the setting's history. Throws `Problem('validation')` if the schema refuses the value. */
  put<K extends keyof D & string>(tx: Tx, key: K, value: Value<D, K>, by: string): Promise<void>;
};

/** Pause in ms between polls of the settings. A poll finds changes whose notification was lost. */
const POLL_MS = 5_000;
/** Base of the poll's pause after errors, in ms (`Pace.retryMs`). */
const RETRY_MS = 250;
const ROW = 'select key, value, version, mac from setting where key = $1';
const declared = new Map<string, Setting>();
let snapshot = new Map<string, unknown>();

/**
 * Declares a room's settings, with keys `<room>.<name>`. Throws at once if a key is declared twice, or if a default violates its
 * own schema.
 */
export function defineSettings<const D extends Declared>(room: string, definitions: D): Settings<D> {
  for (const [key, setting] of Object.entries(definitions)) {
    if (!key.startsWith(`${room}.`)) throw new Error(`setting ${key} must be named ${room}.…`);
    if (declared.has(key)) throw new Error(`setting ${key} is declared twice`);
    setting.schema.parse(setting.initial);
    declared.set(key, setting);
  }
  return {
    get(key) {
      const value = snapshot.get(key);
      return (value === undefined ? definitions[key]!.initial : value) as never;
    },
    async read(tx, key) {
      const row = await tx.row<StoredSetting>(ROW, [key], { name: 'settings.read' });
      const one = row && (await believed(tx, row));
      return (one ? parse(key, one.value) : definitions[key]!.initial) as never;
    },
    put: (tx, key, value, by) => putSetting(tx, key, value, by),
  };
}

/** Stores a value of any declared setting, for the desk's tools and for the seed data. Throws the errors of `Settings.put`. */
export async function putSetting(tx: Tx, key: string, value: unknown, by: string): Promise<void> {
  const { schema } = declaredAs(key);
  const parsed = schema.safeParse(value);
  if (!parsed.success) throw outOfBounds(key, schema);
  // The lock allows one writer at a time. Versions then become visible in order, and no poll misses a version.
  await tx.run('lock table setting in share row exclusive mode');
  const next = await tx.row<{ version: string }>('select coalesce(max(version), 0) + 1 as version from setting_history');
  const [version, text] = [next?.version ?? '1', JSON.stringify(parsed.data)];
  await tx.run(
    `with given as (
       insert into setting_history (version, key, value, by, at, mac) values ($1, $2, $3::jsonb, $4, $5, $6)
       returning key, value, version, by, at, mac
     )
     insert into setting (key, value, version, by, at, mac) select key, value, version, by, at, mac from given
     on conflict (key) do update set value = excluded.value, version = excluded.version, by = excluded.by, at = excluded.at,
       mac = excluded.mac`,
    [version, key, text, by, tx.now, settingMac({ key, version, value: JSON.parse(text) as unknown })],
  );
  tx.afterCommit(() => wake('settings'));
}

/** Current state of a setting, for a person who wants to change it. */
export interface SettingNow {
  readonly key: string;
  readonly words: string;
  readonly unit?: string;
  /** Allowed values, in words. */
  readonly bounds: string;
  readonly value: unknown;
  readonly initial: unknown;
  /** Version of the stored value; 0 if the setting was never changed. */
  readonly version: number;
}

/** A past value of a setting, and who set it. */
export interface SettingVersion {
  readonly version: number;
  readonly value: unknown;
  readonly by: string;
  readonly at: Date;
}

/**
 * Returns a setting as seen by this transaction. `lock`: prevents changes of all settings until the transaction ends. Throws
 * `validation` for an unknown key.
 */
export async function settingNow(tx: Statements, key: string, { lock = false } = {}): Promise<SettingNow> {
  const { schema, initial, words, unit } = declaredAs(key);
  if (lock) await tx.run('lock table setting in share row exclusive mode');
  const row = await tx.row<StoredSetting>(ROW, [key]);
  const one = row && (await believed(tx, row));
  const [stored] = one ? valid(key, one.value) : [];
  const value = stored ? stored[1] : initial;
  return {
    key,
    words,
    bounds: boundsOf(schema),
    value,
    initial,
    version: Number(row?.version ?? 0),
    ...(unit !== undefined && { unit }),
  };
}

/** Returns the past values of a setting, newest first. */
export async function settingHistory(db: Statements, key: string, max: number): Promise<SettingVersion[]> {
  declaredAs(key);
  const rows = await db.rows<{ version: string; value: unknown; by: string; at: Date }>(
    'select version, value, by, at from setting_history where key = $1 order by version desc limit $2',
    [key, max],
  );
  return rows.map(({ version, ...row }) => ({ version: Number(version), ...row }));
}

/** Returns the values of settings at a moment. Returns the default for a setting that had not been changed by then. */
export async function settingsAt<K extends string>(db: Statements, keys: readonly K[], at: Date): Promise<Record<K, unknown>> {
  const rows = await db.rows<{ key: K; value: unknown }>(
    `select distinct on (key) key, value from setting_history where key = any ($1) and at <= $2 order by key, version desc`,
    [keys, at],
  );
  const began = keys.map((key) => [key, declaredAs(key).initial]);
  return { ...Object.fromEntries(began), ...Object.fromEntries(rows.map(({ key, value }) => [key, value])) };
}

/**
 * Parses a setting's value from a text: as plain text or, if the schema refuses that, as JSON. Throws `validation` if the
 * schema accepts neither.
 */
export function settingFrom(key: string, text: string): unknown {
  const { schema } = declaredAs(key);
  const found = valueOf(schema, text);
  if (!found) throw outOfBounds(key, schema);
  return found.value;
}

const outOfBounds = (key: string, schema: z.ZodType): Problem =>
  fieldProblem('value', 'setting_bounds', { key, bounds: boundsOf(schema) });

/**
 * Returns the number of people that a change of a setting takes. Two, if the change lets more money out, trusts less proof or
 * screens less.
 */
export function peopleToChange(key: string, before: unknown, after: unknown): 1 | 2 {
  return isLooser(declaredAs(key).looser, before, after) ? 2 : 1;
}

function declaredAs(key: string): Setting {
  const setting = declared.get(key);
  if (!setting) throw unknownSetting(key);
  return setting;
}

/**
 * Returns the problem for an unknown key. The problem suggests a known key if exactly one is similar. A similar key differs
 * only in separators and capitals, or ends with the given key.
 */
function unknownSetting(key: string): Problem {
  const bare = (text: string): string => text.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
  const wanted = bare(key);
  const [near, ...others] = [...declared.keys()].filter(
    (one) => bare(one) === wanted || (wanted !== '' && bare(one).endsWith(wanted)),
  );
  return near !== undefined && others.length === 0
    ? fieldProblem('key', 'setting_near', { key, near })
    : fieldProblem('key', 'setting_unknown', { key });
}

/** Returns all declared settings with their values in the snapshot, for operators. */
export function listSettings(): { key: string; words: string; unit?: string; initial: unknown; value: unknown }[] {
  return [...declared].map(([key, { words, unit, initial }]) => ({
    key,
    words,
    ...(unit !== undefined && { unit }),
    initial,
    value: snapshot.has(key) ? snapshot.get(key) : initial,
  }));
}

/** Keeps a process's snapshot of the settings up to date. */
export interface SettingsWatch {
  /** Updates the snapshot to what is stored now. */
  refresh(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Reads the snapshot of all settings for this process, and keeps it up to date until stopped. Without the database the last
 * snapshot remains. Call it once per process.
 */
export async function watchSettings(db: Db): Promise<SettingsWatch> {
  let version = '0';
  const polling = async (): Promise<void> => {
    const newest = await db.row<{ version: string }>('select coalesce(max(version), 0) as version from setting', [], {
      name: 'settings.version',
    });
    if (!newest || newest.version === version) return;
    const rows = await db.rows<StoredSetting>('select key, value, version, mac from setting');
    const found = await Promise.all(rows.filter(({ key }) => declared.has(key)).map((row) => believed(db, row)));
    snapshot = new Map(found.flatMap((one) => (one ? valid(one.key, one.value) : [])));
    version = newest.version;
  };
  // Polls never overlap, so that no older snapshot replaces a newer one.
  let last = Promise.resolve();
  const poll = (): Promise<void> => (last = last.catch(() => undefined).then(polling));
  await poll();
  const sweeper = every(POLL_MS, 'settings', poll, { retryMs: RETRY_MS });
  const deaf = onWake('settings', () => sweeper.wake());
  return {
    refresh: poll,
    async stop() {
      deaf();
      await sweeper.stop();
      snapshot = new Map();
    },
  };
}

function parse(key: string, value: unknown): unknown {
  return declared.get(key)!.schema.parse(value);
}

/**
 * Returns the snapshot's entry for a stored value. If the schema refuses the value, raises an alarm and returns no entry, so
 * that the default is used.
 */
function valid(key: string, value: unknown): [string, unknown][] {
  try {
    return [[key, parse(key, value)]];
  } catch (error) {
    log.alarm('stored setting is not valid, its default is used', { setting: key, error });
    return [];
  }
}
