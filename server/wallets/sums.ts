import { format, money } from '@kurs/money';

/** Formats parts of a unit as canonical text. Throws for a negative sum. */
export const text = (unit: string, parts: bigint): string => format(money(unit, parts));

/** Formats a change in parts; negative if money left. */
export const signed = (unit: string, parts: bigint): string => (parts < 0n ? `-${text(unit, -parts)}` : text(unit, parts));
