// MACs of rows from which money is booked. Without MACs, altering such a row by SQL would move money with valid journals.

import { isMac, macOf } from '../../platform/index.ts';
import type { Payin } from './payin.ts';

/** A receiving address that was derived from our own keys. */
export interface DerivedAddress {
  readonly rail: string;
  readonly number: number;
  readonly currency: string;
  readonly to: string;
  readonly memo: string | null;
  readonly key: string;
}

const ofAddress = ({ rail, number, currency, to, memo, key }: DerivedAddress): string =>
  JSON.stringify([rail, number, currency, to, memo, key]);

/** Returns the MAC of a receiving address. */
export const addressMac = (address: DerivedAddress): string => macOf('receiving address', ofAddress(address));

/** True if a receiving address is unchanged since it was derived. */
export const isAsDerived = (address: DerivedAddress, mac: string | null): boolean =>
  isMac('receiving address', ofAddress(address), mac);

/** Properties of a payment that never change: its owner, its amount, and the address where it arrived. */
export type Arrival = Pick<Payin, 'id' | 'key' | 'number' | 'owner' | 'currency' | 'unit' | 'place' | 'parts' | 'txid'>;

const ofPayin = (rail: string, { id, key, number, owner, currency, unit, place, parts, txid }: Arrival): string =>
  JSON.stringify([rail, id, key, number, owner.kind, owner.id, currency, unit, place, `${parts}`, txid]);

/** Returns the MAC of a payment. */
export const payinMac = (rail: string, payin: Arrival): string => macOf('payin', ofPayin(rail, payin));

/** True if a payment's row has the owner, amount and place that were recorded. */
export const isAsRecorded = (rail: string, payin: Arrival, mac: string | null): boolean =>
  isMac('payin', ofPayin(rail, payin), mac);

/** A posting that a stored event requests. */
export interface WrittenEvent {
  readonly id: string;
  readonly kind: string;
  readonly cause: string;
  readonly legs: readonly {
    readonly from: { readonly name: string };
    readonly to: { readonly name: string };
    readonly parts: string;
  }[];
  readonly prices: Readonly<Record<string, string>>;
}

function ofEvent({ id, kind, cause, legs, prices }: WrittenEvent): string {
  const lines = legs.map(({ from, to, parts }) => [from.name, to.name, parts]);
  return JSON.stringify([id, kind, cause, lines, Object.entries(prices).toSorted()]);
}

/** Returns the MAC of the posting that a stored event requests. */
export const eventMac = (event: WrittenEvent): string => macOf('event', ofEvent(event));

/** True if the posting that a stored event requests is unchanged since we wrote the event. */
export const isAsWritten = (event: WrittenEvent, mac: string | null): boolean => isMac('event', ofEvent(event), mac);
