// What rails take payments for: orders, deposits. A kind of owner registers its purposes, and people switch each alone.

import { openNames } from '../../platform/index.ts';

const names = openNames('purpose of payments');

/** Defines a purpose. Only the registration of owners calls it. */
export const definePurpose = names.define;

/** The purposes of the rooms that this process has. */
export const purposes = names.all;

/** What people have said of rails (`payments.rails`): on or off for every purpose, or for some by name. */
export type SaidOfRails = Readonly<Record<string, boolean | Readonly<Record<string, boolean>>>>;

/** Whether people have let a rail take payments for a purpose; undefined where nobody has said anything of it. */
export function saidFor(said: SaidOfRails, rail: string, purpose: string): boolean | undefined {
  const ofRail = said[rail];
  return typeof ofRail === 'object' ? ofRail[purpose] : ofRail;
}

/** What people have said, with a rail switched on or off: for one purpose, or without one for all. */
export function withSwitch(said: SaidOfRails, { rail, on, purpose }: RailSwitch): SaidOfRails {
  if (purpose === undefined) return { ...said, [rail]: on };
  const known = purposes().map((one) => [one, saidFor(said, rail, one)] as const);
  const ofRail = Object.fromEntries(known.filter((one): one is [string, boolean] => one[1] !== undefined));
  return { ...said, [rail]: { ...ofRail, [purpose]: on } };
}

/** A switch that people turn. */
export interface RailSwitch {
  readonly rail: string;
  readonly on: boolean;
  readonly purpose?: string | undefined;
}
