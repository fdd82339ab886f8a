// MACs of settings. A setting that was changed by SQL has no valid MAC. Then its last valid value is used, and the proof of the
// books reports the setting.

import type { Statements } from './db.ts';
import { log } from '../base/log.ts';
import { isMac, macOf, steady } from '../secrets/macs.ts';

/** Keys of altered settings for which this process has raised an alarm. */
const reportedAltered = new Set<string>();

/** A setting as stored in its row. */
export interface StoredSetting {
  readonly key: string;
  readonly value: unknown;
  readonly version: string;
  readonly mac: string | null;
}

const contentOf = ({ key, version, value }: Omit<StoredSetting, 'mac'>): string => steady([key, version, value]);
/** Returns the MAC of a stored value. */
export const settingMac = (put: Omit<StoredSetting, 'mac'>): string => macOf('setting', contentOf(put));
const isAsPut = (row: StoredSetting): boolean => isMac('setting', contentOf(row), row.mac);

/**
 * Returns a setting's row if its MAC is valid, else the last valid value in the setting's history. Undefined if there is none.
 */
export const believed = async (db: Statements, row: StoredSetting): Promise<StoredSetting | undefined> =>
  isAsPut(row) ? row : lastPut(db, row.key);

/**
 * Returns the last value with a valid MAC, and raises an alarm. Undefined if there is none; then the caller uses the default.
 */
async function lastPut(db: Statements, key: string): Promise<StoredSetting | undefined> {
  if (!reportedAltered.has(key)) log.alarm('a setting was altered by SQL: its last valid value is used', { setting: key });
  reportedAltered.add(key);
  const rows = await db.rows<StoredSetting>(
    'select key, value, version, mac from setting_history where key = $1 order by version desc limit 1000',
    [key],
  );
  return rows.find(isAsPut);
}

/**
 * Returns the keys of settings with altered rows, and the versions of deleted history rows (`put 7`). For the proof of the
 * books.
 */
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
