// Lists the desk's settings, previews and makes changes, and sets a setting back to an earlier value.

import { type Input, type Output, type Permission, type Routes, fieldProblem } from '@kurs/contract';
import {
  type Db,
  type SettingNow,
  type Statements,
  listSettings,
  peopleToChange,
  putSetting,
  settingFrom,
  settingHistory,
  settingNow,
  settingText,
} from '../../platform/index.ts';
import { LEVELS, ladderOf, statusAt } from '../../loyalty/index.ts';
import { loyaltyDiscount, previewSetting } from '../../pricing/index.ts';
import { wireOf } from './prices.ts';
import type { Person } from '../people/roles.ts';
import { type Wanted, actAs } from '../people/two-people.ts';

const MAX_VERSIONS = 50;

/** Returns all settings, by name. */
export function settingsView(): Output<Routes['operatorSettings']> {
  return listSettings()
    .map(({ value, initial, ...rest }) => ({ ...rest, value: settingText(value), initial: settingText(initial) }))
    .sort((a, b) => a.key.localeCompare(b.key));
}

/** Returns a setting with its bounds and history. Throws `validation` for an unknown key. */
export async function settingView(db: Db, key: string): Promise<Output<Routes['operatorSetting']>> {
  const [{ words, unit, bounds, value, initial }, history] = [
    await settingNow(db, key),
    await settingHistory(db, key, MAX_VERSIONS),
  ];
  return {
    ...{ key, words, bounds, value: settingText(value), initial: settingText(initial), ...(unit !== undefined && { unit }) },
    history: history.map(({ version, value: was, by, at }) => ({ version, value: settingText(was), by, at: at.toISOString() })),
  };
}

type Change = Output<Routes['operatorSettingChange']>;

/**
 * Previews a change of a setting, and makes the change if `apply` is set. A change takes two people if it loosens the setting, or
 * if customers would get much less. Setting back to an earlier value follows the same rules. Throws `validation`, and the errors
 * of `actAs`.
 */
export async function changeSetting(
  db: Db,
  person: Person,
  input: Input<Routes['operatorSettingChange']>,
  idempotencyKey?: string,
): Promise<Change> {
  return db.tx(async (tx) => {
    const now = await settingNow(tx, input.key, { lock: input.apply });
    const value = await wantedValue(tx, now, input);
    const priced = await previewSetting(tx, { key: now.key, value, discounts: discountsOf(now, value) });
    const people = priced?.large ? 2 : peopleToChange(now.key, now.value, value);
    const [before, after] = [settingText(now.value), settingText(value)];
    const { key, bounds, unit } = now;
    const prices = priced && (await Promise.all(priced.directions.map((one) => wireOf(tx, one)))).map(quotesOf);
    const shown = { key, before, after, bounds, people, ...(unit !== undefined && { unit }), ...(prices && { prices }) };
    if (!input.apply) return { status: 'preview', ...shown };
    if (input.reason === undefined) throw fieldProblem('reason', 'required');
    // A request is bound to the setting's current version.
    const said = { action: 'setting', subject: key, about: `version ${now.version}`, reason: input.reason };
    const body = { from: before, to: after, ...(unit !== undefined && { unit }) };
    const wanted: Wanted = { ...said, permission: permissionFor(key), people, body, key: idempotencyKey };
    const acted = await actAs(tx, person, wanted, (by) => putSetting(tx, key, value, by.join(', ')));
    return { ...acted, ...shown };
  });
}

const quotesOf = ({ slug, from, to, quotes }: Awaited<ReturnType<typeof wireOf>>) => ({ slug, from, to, quotes });

/** Returns the loyalty discounts at the turnover of each old and new level, before and after a change of the levels. */
function discountsOf({ key, value: before }: SettingNow, after: unknown) {
  if (key !== LEVELS) return [];
  const [old, fresh] = [ladderOf(before), ladderOf(after)];
  return [...old, ...fresh].map(({ cents }) => {
    const [was, will] = [old, fresh].map((ladder) => ({
      discounts: loyaltyDiscount(statusAt(cents, ladder).percent || undefined),
    }));
    return { before: was ?? {}, after: will ?? {} };
  });
}

async function wantedValue(
  tx: Statements,
  { key, initial }: SettingNow,
  { value, version }: Input<Routes['operatorSettingChange']>,
): Promise<unknown> {
  if ((value === undefined) === (version === undefined)) throw fieldProblem('value', 'required');
  if (value !== undefined) return settingFrom(key, value);
  if (version === 0) return initial;
  const found = (await settingHistory(tx, key, Number.MAX_SAFE_INTEGER)).find((one) => one.version === version);
  if (!found) throw fieldProblem('version', 'setting_version', { key, version: String(version) });
  // Validates the earlier value again: the setting's bounds may have changed since.
  return settingFrom(key, settingText(found.value));
}

/** Returns the permission that is required to change a setting. Settings of compliance have a permission of their own. */
const permissionFor = (key: string): Permission => (key.startsWith('compliance.') ? 'settings.compliance' : 'settings.change');
