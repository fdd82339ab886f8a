// MACs of settings: who loosens a bound by SQL can't make its MAC. What was put last counts, and the proof of the books tells.

import type { Statements } from './db.ts';
import { log } from '../base/log.ts';
import { isMac, macOf, steady } from '../secrets/macs.ts';

/** Settings that people were told of, once in a process. */
const toldAltered = new Set<string>();

/** A setting as its row has it. */
export interface StoredSetting {
  readonly key: string;
  readonly value: unknown;
  readonly version: string;
  readonly mac: string | null;
}

const contentOf = ({ key, version, value }: Omit<StoredSetting, 'mac'>): string => steady([key, version, value]);
/** The MAC of a value that is put. */
export const settingMac = (put: Omit<StoredSetting, 'mac'>): string => macOf('setting', contentOf(put));
const isAsPut = (row: StoredSetting): boolean => isMac('setting', contentOf(row), row.mac);

/** What a row is believed to say: itself, or what was put last. Undefined where nothing was. */
export const believed = async (db: Statements, row: StoredSetting): Promise<StoredSetting | undefined> =>
  isAsPut(row) ? row : lastPut(db, row.key);

/** The last value that was set by us, where the setting's row differs; undefined for none: then the default counts. */
async function lastPut(db: Statements, key: string): Promise<StoredSetting | undefined> {
  if (!toldAltered.has(key)) log.alarm('a setting is not what was put: its last value that was is used', { setting: key });
  toldAltered.add(key);
  const rows = await db.rows<StoredSetting>(
    'select key, value, version, mac from setting_history where key = $1 order by version desc limit 1000',
    [key],
  );
  return rows.find(isAsPut);
}

/** Settings, by key, that are not what was put last, and puts that are gone, as `put 7`. For the proof of the books. */
export async function alteredSettings(db: Statements): Promise<string[]> {
  const rows = await db.rows<StoredSetting & { last: string | null; is_newest: boolean }>(
    `select coalesce(s.key, h.key) as key, s.value, coalesce(s.version, 0) as version, s.mac, h.last,
       s.version is not distinct from h.last as is_newest
     from setting s full join (select key, max(version) as last from setting_history group by key) h using (key)`,
  );
  const gone = await db.rows<{ version: string }>(
    `select version from generate_series(1, (select max(version) from setting_history)) as version
     where not exists (select from setting_history h where h.version = version.version) limit 10`,
  );
  return [
    ...rows.filter((row) => !row.is_newest || !isAsPut(row)).map(({ key }) => key),
    ...gone.map(({ version }) => `put ${version}`),
  ];
}
