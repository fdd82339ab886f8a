import { MoneyError, isUnit, parse } from '@kurs/money';

/** The signer's caps for 24 hours. `unread`: entries that can't be read, each with the currencies that it names. */
export interface Caps {
  /** Minor units by currency. Without a cap, the signer signs nothing of a currency. */
  readonly daily: ReadonlyMap<string, bigint>;
  readonly unread: readonly { readonly codes: readonly string[]; readonly entry: string }[];
}

/**
 * Reads caps such as `BTC=5, USDT_ERC20=500000, ETH=5`: decimal amounts by currency code. A currency's unit is its code, or the
 * part of the code before `_`. An ambiguous entry removes the caps of the currencies that it names. If it names none, as in
 * `BTC=1,5`, it removes the cap of the entry before it.
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
