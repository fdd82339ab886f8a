import { isUnit, parse, readTyped } from '@kurs/money';
import { currencies } from '../../payments/index.ts';

/** A number as people write it, with an optional unit after it: `1,000.00`, `1 000,5 USDT`. */
const SUM = /^([0-9][0-9.,\s]*?)\s*([a-z][a-z0-9]{1,9})?$/i;

/** Search values for the amounts of orders: pairs of a currency and the amount that the searched text means in it, in parts. */
export interface TypedSums {
  readonly currencies: readonly string[];
  readonly parts: readonly string[];
}

/**
 * Reads a text as an amount of each currency that it can mean. The notations of both languages are tried: `1,000` is a thousand
 * in English, and one in Russian. Returns no pairs if the text is not an amount.
 */
export function readSums(text: string): TypedSums {
  const [, number = '', name] = SUM.exec(text) ?? [];
  const found = new Map<string, Set<string>>();
  for (const locale of ['en', 'ru'] as const) {
    const amount =
      number === ''
        ? undefined
        : readTyped(number, locale, 40)
            ?.replace(/(\.\d*?)0+$/, '$1')
            .replace(/\.$/, '');
    if (amount === undefined) continue;
    for (const { code, unit } of currencies()) {
      if (name !== undefined && unit.toLowerCase() !== name.toLowerCase()) continue;
      const parts = partsOf(unit, amount);
      if (parts !== undefined) found.set(code, (found.get(code) ?? new Set()).add(parts));
    }
  }
  const pairs = [...found].flatMap(([code, sums]) => [...sums].map((parts) => [code, parts] as const));
  return { currencies: pairs.map(([code]) => code), parts: pairs.map(([, parts]) => parts) };
}

/** Returns the amount in parts; undefined if it has more digits than the unit. */
function partsOf(unit: string, amount: string): string | undefined {
  try {
    return isUnit(unit) ? parse(unit, amount).parts.toString() : undefined;
  } catch {
    return undefined;
  }
}
