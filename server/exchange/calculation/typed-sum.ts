import { isUnit, parse, readTyped } from '@kurs/money';
import { currencies } from '../../payments/index.ts';

/** A number as people write it, and perhaps the unit behind it: `1,000.00`, `1 000,5 USDT`. */
const SUM = /^([0-9][0-9.,\s]*?)\s*([a-z][a-z0-9]{1,9})?$/i;

/** What an order's own amount is compared with: each currency with as many parts as the text is of it. */
export interface TypedSums {
  readonly currencies: readonly string[];
  readonly parts: readonly string[];
}

/**
 * Reads a text as an amount, in each currency that can have it and by the habits of both languages (`1,000` is a thousand in
 * one and one in the other); no sums for a text that is none.
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

/** Undefined for more digits than the unit has. */
function partsOf(unit: string, amount: string): string | undefined {
  try {
    return isUnit(unit) ? parse(unit, amount).parts.toString() : undefined;
  } catch {
    return undefined;
  }
}
