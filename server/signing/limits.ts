import { isUnit, parse } from '@kurs/money';

/**
 * Reads the caps of 24 hours: `BTC=5, USDT_ERC20=500000, ETH=5`, decimal amounts by currency code; a currency's unit is
 * found by its code or the part before `_`. Gives parts by currency. Throws for anything else: a cap misread is no cap.
 */
export function parseCaps(text: string): ReadonlyMap<string, bigint> {
  const caps = new Map<string, bigint>();
  for (const entry of text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)) {
    const match = /^([A-Z][A-Z0-9_]*)\s*=\s*([0-9.]+)$/.exec(entry);
    const code = match?.[1];
    if (!code || caps.has(code)) throw new Error(`A cap is written like BTC=5, not "${entry}"`);
    caps.set(code, parse(unitOf(code), match[2] ?? '').parts);
  }
  return caps;
}

function unitOf(code: string): string {
  return isUnit(code) ? code : (code.split('_')[0] ?? code);
}
