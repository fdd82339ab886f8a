import { MoneyError, isUnit, parse } from '@kurs/money';

/** The signer's caps of 24 hours, and what of them can't be read: the currency that an entry names, and the entry. */
export interface Caps {
  /** Parts by currency. A currency without a cap doesn't leave at all. */
  readonly daily: ReadonlyMap<string, bigint>;
  readonly unread: readonly { readonly codes: readonly string[]; readonly entry: string }[];
}

/**
 * Reads caps: `BTC=5, USDT_ERC20=500000, ETH=5`, decimal amounts by currency code; a currency's unit is found by its code or
 * the part before `_`. What can be misread is no cap: not of the currencies that its entry names, nor, where it names none
 * (`BTC=1,5`), of the one before it.
 */
export function parseCaps(text: string): Caps {
  const daily = new Map<string, bigint>();
  const unread: { codes: string[]; entry: string }[] = [];
  const entries = text.split(',').map((part) => part.trim());
  let before: string[] = [];
  for (const entry of entries.filter(Boolean)) {
    const named = (entry.match(/[A-Za-z][A-Za-z0-9_]*/g) ?? []).map((code) => code.toUpperCase());
    const codes = named.length > 0 ? named : before;
    const cap = capIn(entry);
    if (cap && !daily.has(cap.code) && !unread.some((one) => one.codes.includes(cap.code))) daily.set(cap.code, cap.parts);
    else unread.push({ codes, entry });
    before = codes;
  }
  for (const { codes } of unread) for (const code of codes) daily.delete(code);
  return { daily, unread };
}

function capIn(entry: string): { readonly code: string; readonly parts: bigint } | undefined {
  const [, code, amount = ''] = /^([A-Z][A-Z0-9_]*)\s*=\s*([0-9.]+)$/.exec(entry) ?? [];
  const unit = code === undefined ? '' : unitOf(code);
  if (code === undefined || !isUnit(unit)) return undefined;
  try {
    return { code, parts: parse(unit, amount).parts };
  } catch (error) {
    if (error instanceof MoneyError) return undefined;
    throw error;
  }
}

function unitOf(code: string): string {
  return isUnit(code) ? code : (code.split('_')[0] ?? code);
}
