// Purposes for which rails take payments, such as orders and deposits. Rooms register the purposes of their kinds of owners.
// Operators switch each purpose of a rail separately.

import { openNames } from '../../platform/index.ts';

const names = openNames('purpose of payments');

/** Registers a purpose. Only the registration of owners calls this. */
export const definePurpose = names.define;

/** Returns the purposes that the rooms of this process have registered. */
export const purposes = names.all;

/**
 * Operators' switches of rails (setting `payments.rails`), by rail: one value for all purposes, or one value for each purpose.
 */
export type SaidOfRails = Readonly<Record<string, boolean | Readonly<Record<string, boolean>>>>;

/** Returns the operators' switch of a rail for a purpose; undefined if operators have set none. */
export function saidFor(said: SaidOfRails, rail: string, purpose: string): boolean | undefined {
  const ofRail = said[rail];
  return typeof ofRail === 'object' ? ofRail[purpose] : ofRail;
}

/** Returns the switches after a rail was switched on or off, for one purpose or for all. */
export function withSwitch(said: SaidOfRails, { rail, isOn, purpose }: RailSwitch): SaidOfRails {
  if (purpose === undefined) return { ...said, [rail]: isOn };
  const known = purposes().map((one) => [one, saidFor(said, rail, one)] as const);
  const ofRail = Object.fromEntries(known.filter((one): one is [string, boolean] => one[1] !== undefined));
  return { ...said, [rail]: { ...ofRail, [purpose]: isOn } };
}

/** Operators' switch of a rail. Without `purpose`, the switch is for all purposes. */
export interface RailSwitch {
  readonly rail: string;
  readonly isOn: boolean;
  readonly purpose?: string | undefined;
}
