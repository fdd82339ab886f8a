// The desk's stops over all payment systems: of new orders or deposits, or of payouts. Begun work goes on:
// payments that arrive are credited, and payouts wait.

import { fieldProblem } from '@kurs/contract';
import { type SettingVersion, type Statements, type Tx, settingHistory, settingNow } from '../../platform/index.ts';
import { purposes } from '../rails/purposes.ts';
import { payoutsSetting, switchPayouts } from '../payouts/switch-payouts.ts';
import { settings } from '../rails/settings.ts';

const PAYOUTS = 'payouts';
const ALL = 'all';
const OF_PURPOSES = 'payments.stopped';
/** Most changes searched for the one that stopped something. */
const MAX_CHANGES = 200;

const settingOf = (what: string): ReturnType<typeof payoutsSetting> | typeof OF_PURPOSES =>
  what === PAYOUTS ? payoutsSetting(undefined) : OF_PURPOSES;
const saysStopped = (what: string, value: unknown): boolean =>
  what === PAYOUTS ? value === false : Array.isArray(value) && value.includes(what);

/** Returns the stopped purposes, as of half a second ago. */
export const stoppedPurposes = (): readonly string[] => settings.get(OF_PURPOSES);

/** True if a purpose is stopped, read in this transaction. */
export async function isStopped(tx: Statements, purpose: string): Promise<boolean> {
  return (await settings.read(tx, OF_PURPOSES)).includes(purpose);
}

/** Returns the stops that a name stands for: itself, or all. Throws `validation` for another name. */
export function stoppable(name: string): string[] {
  const each = [...purposes(), PAYOUTS];
  if (name !== ALL && !each.includes(name)) throw fieldProblem('what', 'wrong_value');
  return name === ALL ? each : [name];
}

/** A stop: who set it, including repeated stops, and since when. */
export interface Stop {
  readonly what: string;
  readonly by: readonly string[];
  readonly since: Date;
}

/** Returns stops in force, read in this transaction. */
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

/** True unless a change only stopped something else. */
function isAbout(what: string, { value }: SettingVersion, before: SettingVersion | undefined): boolean {
  if (what === PAYOUTS || before === undefined) return true;
  return (value as readonly string[]).length === (before.value as readonly string[]).length;
}

/** Locks the switches and returns their versions. A request to change them is valid for these versions only. */
export async function switchesNow(tx: Tx, what: readonly string[]): Promise<string> {
  const keys = [...new Set(what.map(settingOf))];
  const versions: number[] = [];
  for (const key of keys) versions.push((await settingNow(tx, key, { lock: true })).version);
  return `version ${versions.join(', ')}`;
}

/** Stops or starts things. A second stop is stored, too: a request to start that is older does not cover it. */
export async function setStopped(tx: Tx, what: readonly string[], isStop: boolean, by: string): Promise<void> {
  const named = what.filter((one) => one !== PAYOUTS);
  if (what.includes(PAYOUTS)) await switchPayouts(tx, { isOn: !isStop }, by);
  if (named.length === 0) return;
  const others = (await settings.read(tx, OF_PURPOSES)).filter((one) => !named.includes(one));
  await settings.put(tx, OF_PURPOSES, isStop ? [...others, ...named].toSorted() : others, by);
}
