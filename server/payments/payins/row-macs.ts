// MACs of the rows that money is booked from: anyone who changes one by SQL moves money without a journal that is wrong.

import { isMac, macOf } from '../../platform/index.ts';
import type { Payin } from './payin.ts';

/** A receiving address as it was derived from our own keys. */
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

/** The MAC of an address. */
export const addressMac = (address: DerivedAddress): string => macOf('receiving address', ofAddress(address));

/** Is it the address that was derived? */
export const isAsDerived = (address: DerivedAddress, mac: string | null): boolean =>
  isMac('receiving address', ofAddress(address), mac);

/** What of a payment never changes: whose it is, and how much of what arrived where. */
export type Arrival = Pick<Payin, 'id' | 'key' | 'number' | 'owner' | 'currency' | 'unit' | 'place' | 'parts' | 'txid'>;

const ofPayin = (rail: string, { id, key, number, owner, currency, unit, place, parts, txid }: Arrival): string =>
  JSON.stringify([rail, id, key, number, owner.kind, owner.id, currency, unit, place, `${parts}`, txid]);

/** The MAC of a payment. */
export const payinMac = (rail: string, payin: Arrival): string => macOf('payin', ofPayin(rail, payin));

/** Is it the payment that was recorded? */
export const isAsRecorded = (rail: string, payin: Arrival, mac: string | null): boolean =>
  isMac('payin', ofPayin(rail, payin), mac);

/** What is to be posted, as its row has it. */
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

/** The MAC of what is to be posted. */
export const eventMac = (event: WrittenEvent): string => macOf('event', ofEvent(event));

/** Is it what was written to be posted? */
export const isAsWritten = (event: WrittenEvent, mac: string | null): boolean => isMac('event', ofEvent(event), mac);
