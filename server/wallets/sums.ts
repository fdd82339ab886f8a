import { format, money } from '@kurs/money';

/** Parts of a unit as canonical text. Throws for a sum below zero: a balance is none. */
export const text = (unit: string, parts: bigint): string => format(money(unit, parts));

/** A change in parts as text: below zero where money left. */
export const signed = (unit: string, parts: bigint): string => (parts < 0n ? `-${text(unit, -parts)}` : text(unit, parts));
