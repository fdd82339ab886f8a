// Stops that people of the desk set for all payment systems at once: no new orders, no new deposits, or no payouts. During a
// stop, arriving payments are still credited, and payouts wait.

import { fieldProblem } from '@kurs/contract';
import { type SettingVersion, type Statements, type Tx, settingHistory, settingNow } from '../../platform/index.ts';
import { purposes } from '../rails/purposes.ts';
import { payoutsSetting, switchPayouts } from '../payouts/switch-payouts.ts';
import { settings } from '../rails/settings.ts';

const PAYOUTS = 'payouts';
const ALL = 'all';
const OF_PURPOSES = 'payments.stopped';
/** Maximum number of changes of a setting that are searched for the beginning of a stop. */
const MAX_CHANGES = 200;

const settingOf = (what: string): ReturnType<typeof payoutsSetting> | typeof OF_PURPOSES =>
  what === PAYOUTS ? payoutsSetting(undefined) : OF_PURPOSES;
const saysStopped = (what: string, value: unknown): boolean =>
  what === PAYOUTS ? value === false : Array.isArray(value) && value.includes(what);

/** Returns the purposes that are stopped. The answer may be half a second old. */
export const stoppedPurposes = (): readonly string[] => settings.get(OF_PURPOSES);

/** True if a purpose is stopped, as this transaction reads the settings. */
export async function isStopped(tx: Statements, purpose: string): Promise<boolean> {
  return (await settings.read(tx, OF_PURPOSES)).includes(purpose);
}

/** Returns the stops that a name stands for: one stop, or all for `all`. Throws `validation` for an unknown name. */
export function stoppable(name: string): string[] {
  const each = [...purposes(), PAYOUTS];
  if (name !== ALL && !each.includes(name)) throw fieldProblem('what', 'wrong_value');
  return name === ALL ? each : [name];
}

/** A stop in force. `by`: the people who set the stop or repeated it. `since`: the time when it was first set. */
export interface Stop {
  readonly what: string;
  readonly by: readonly string[];
  readonly since: Date;
}

/** Returns the stops in force, as this transaction reads the settings. */
export async function stopsNow(db: Statements): Promise<Stop[]> {
  const stops: Stop[] = [];
  for (const what of stoppable(ALL)) {
    const key = settingOf(what);
    if (!saysStopped(what, await settings.read(db, key))) continue;
    const history = await settingHistory(db, key, MAX_CHANGES);
    const before = history.findIndex(({ value }) => !saysStopped(what, value));
    const run = before === -1 ? history : history.slice(0, before);
    const began = run.at(-1);
    if (began)
      stops.push({
        what,
        by: [...new Set(run.filter((one, at) => isAbout(what, one, run[at + 1])).map(({ by }) => by))],
        since: began.at,
      });
  }
  return stops;
}

/** False if a change of the setting concerned only other purposes. */
function isAbout(what: string, { value }: SettingVersion, before: SettingVersion | undefined): boolean {
  if (what === PAYOUTS || before === undefined) return true;
  return (value as readonly string[]).length === (before.value as readonly string[]).length;
}

/**
 * Locks the settings that hold the given stops, and returns their versions as text. A request to end a stop is valid only while
 * these versions are current.
 */
export async function switchesNow(tx: Tx, what: readonly string[]): Promise<string> {
  const keys = [...new Set(what.map(settingOf))];
  const versions: number[] = [];
  for (const key of keys) versions.push((await settingNow(tx, key, { lock: true })).version);
  return `version ${versions.join(', ')}`;
}

/**
 * Sets or ends stops. A repeated stop is stored as a new version, so that an older request to end the stop is no longer valid.
 */
export async function setStopped(tx: Tx, what: readonly string[], isStop: boolean, by: string): Promise<void> {
  const named = what.filter((one) => one !== PAYOUTS);
  if (what.includes(PAYOUTS)) await switchPayouts(tx, { isOn: !isStop }, by);
  if (named.length === 0) return;
  const others = (await settings.read(tx, OF_PURPOSES)).filter((one) => !named.includes(one));
  await settings.put(tx, OF_PURPOSES, isStop ? [...others, ...named].toSorted() : others, by);
}
