import { fieldProblem } from '@kurs/contract';
import { type Statements, type Tx, settingHistory } from '../../platform/index.ts';
import type { Rail } from '../../rails/rail.ts';
import { type OverduePolls, overduePolls } from './overdue-polls.ts';
import { type RailState, railStates } from '../rails/rail-state.ts';
import { isStopped, stoppedPurposes } from './stops.ts';
import { type RailSwitch, type SaidOfRails, purposes, withSwitch } from '../rails/purposes.ts';
import { allRails, isOnFor, missingFor, purposesOf, railNames, startsRailsOn, whyRefused } from '../rails/registry.ts';
import { maySend, settings } from '../rails/settings.ts';

/** A rail as the desk sees it. */
export interface RailStatus {
  readonly rail: string;
  /** Absent for a rail that isn't configured here. */
  readonly kind?: Rail['kind'];
  /** Reason for which the rail's configuration was rejected. */
  readonly refused?: string;
  /** Names of the settings that the rail's configuration lacks. */
  readonly missing: readonly string[];
  /** The desk's own account on the rail, by currency. Capital is sent to this account. */
  readonly own: readonly { readonly currency: string; readonly account: string }[];
  readonly currencies: readonly string[];
  /** Purposes for which the rail takes payments. */
  readonly takes: readonly string[];
  /** True if payouts may leave on the rail. */
  readonly canPayOut: boolean;
  /** Last known state of the rail; absent until its first poll. */
  readonly state?: RailState;
  /** The rail's overdue polls whose delay is long enough for an alarm. */
  readonly late: readonly OverduePolls[];
}

/** Returns the purposes for which operators let a rail take payments. The answer may be half a second old. */
export const takenPurposes = (rail: string): string[] => purposesOf(settings.get('payments.rails'), rail);

/**
 * True if a rail may take new payments for a purpose, and the purpose is not stopped. The answer may be half a second old.
 * Payments that have already begun are not affected.
 */
export const takesFor = (rail: string, purpose: string): boolean =>
  isOnFor(settings.get('payments.rails'), rail, purpose) && !stoppedPurposes().includes(purpose);

/** Like `takesFor`, but reads the settings in this transaction. */
export async function takesNowFor(tx: Statements, rail: string, purpose: string): Promise<boolean> {
  return isOnFor(await settings.read(tx, 'payments.rails'), rail, purpose) && !(await isStopped(tx, purpose));
}

/** True if operators have ever switched a rail on, for any purpose. In a sandbox every rail is on from the start. */
export async function wasOn(tx: Statements, rail: string): Promise<boolean> {
  if (startsRailsOn()) return true;
  const history = await settingHistory(tx, 'payments.rails', Number.MAX_SAFE_INTEGER);
  return history.some(({ value }) => purposesOf(value as SaidOfRails, rail).length > 0);
}

/**
 * Switches a rail on or off for new payments, of one purpose or all. Payments already begun are still polled, credited and paid
 * out. Throws `validation` for a rail that isn't configured here, and for an unknown purpose.
 */
export async function switchRail(tx: Tx, change: RailSwitch, by: string): Promise<void> {
  requireSwitch(change);
  const said = await settings.read(tx, 'payments.rails');
  return settings.put(tx, 'payments.rails', withSwitch(said, change), by);
}

/** Throws `validation` for a rail that isn't configured here, and for an unknown purpose. */
export function requireSwitch({ rail, purpose }: Pick<RailSwitch, 'rail' | 'purpose'>): void {
  if (purpose !== undefined && !purposes().includes(purpose)) throw fieldProblem('for', 'wrong_value');
  if (!allRails().some(({ id }) => id === rail)) throw fieldProblem('rail', 'rail_not_set_up', { rail });
}

/** Returns every rail that this build knows, with its switches and its last known state. */
export async function railList(db: Statements): Promise<RailStatus[]> {
  const states = new Map((await railStates(db)).map((state) => [state.rail, state]));
  const late = (await overduePolls(db)).filter(({ isReported }) => isReported);
  const said = await settings.read(db, 'payments.rails');
  const here = new Map(allRails().map((rail) => [rail.id, rail]));
  const list = railNames().map(async (name): Promise<RailStatus> => {
    const rail = here.get(name);
    const why = whyRefused(name);
    const known = {
      rail: name,
      missing: missingFor(name),
      late: late.filter(({ rail: of }) => of === name),
      ...(why !== undefined && { refused: why }),
    };
    if (!rail) return { ...known, own: [], currencies: [], takes: [], canPayOut: false };
    const state = states.get(name);
    return {
      ...known,
      own: rail.currencies.flatMap(({ code }) => {
        const account = rail.ownAccount?.(code);
        return account === undefined ? [] : [{ currency: code, account }];
      }),
      kind: rail.kind,
      currencies: rail.currencies.map(({ code }) => code),
      takes: purposesOf(said, name),
      canPayOut: rail.payout !== undefined && (await maySend(db, name)),
      ...(state && { state }),
    };
  });
  return Promise.all(list);
}
