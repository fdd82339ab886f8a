// Purposes for which rails take payments: orders, deposits. A kind of owner registers its purposes. Operators switch each alone.

import { openNames } from '../../platform/index.ts';

const names = openNames('purpose of payments');

/** Defines a purpose. Only the registration of owners calls it. */
export const definePurpose = names.define;

/** Returns the purposes of all rooms in this process. */
export const purposes = names.all;

/** Switches of rails as operators set them (`payments.rails`): on or off for all purposes, or by purpose. */
export type SaidOfRails = Readonly<Record<string, boolean | Readonly<Record<string, boolean>>>>;

/** Returns the operators' switch of a rail for a purpose; undefined if they have set none. */
export function saidFor(said: SaidOfRails, rail: string, purpose: string): boolean | undefined {
  const ofRail = said[rail];
  return typeof ofRail === 'object' ? ofRail[purpose] : ofRail;
}

/** Returns the switches with one rail switched on or off, for one purpose or for all. */
export function withSwitch(said: SaidOfRails, { rail, isOn, purpose }: RailSwitch): SaidOfRails {
  if (purpose === undefined) return { ...said, [rail]: isOn };
  const known = purposes().map((one) => [one, saidFor(said, rail, one)] as const);
  const ofRail = Object.fromEntries(known.filter((one): one is [string, boolean] => one[1] !== undefined));
  return { ...said, [rail]: { ...ofRail, [purpose]: isOn } };
}

/** A switch that operators set. Without `purpose` it is for all purposes. */
export interface RailSwitch {
  readonly rail: string;
  readonly isOn: boolean;
  readonly purpose?: string | undefined;
}
