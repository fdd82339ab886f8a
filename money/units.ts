/**
 * The units of this build and their decimals. Amounts of any unit fit into `numeric(38,0)`. USD, EUR and RUB are assets: prices,
 * limits and invoices are stated in them. The rest are also units of wallets and ledger accounts.
 */
export const UNITS = {
  USD: 2,
  EUR: 2,
  RUB: 2,
  BTC: 8,
  USDT: 6,
  ETH: 18,
  BNB: 18,
  TRX: 6,
  LTC: 8,
  DOGE: 8,
  PAYPAL_USD: 2,
  PAYPAL_EUR: 2,
  PAYEER_USD: 2,
  PAYEER_EUR: 2,
  PAYEER_RUB: 2,
  VOLET_USD: 2,
  VOLET_EUR: 2,
  VOLET_RUB: 2,
  WMZ: 2,
  WME: 2,
  MONEYGO_USD: 2,
  MONEYGO_EUR: 2,
  MONEYGO_RUB: 2,
  PMV_USD: 2,
  PMV_EUR: 2,
} as const;

export type Unit = keyof typeof UNITS;

const SCALES: ReadonlyMap<string, number> = /* @__PURE__ */ new Map(/* @__PURE__ */ Object.entries(UNITS));

/** Returns true if the code is that of a unit of this build. */
export function isUnit(code: string): code is Unit {
  return Object.hasOwn(UNITS, code);
}

/** Returns the decimals of a unit. Throws for an unknown code, which is an error in the data. */
export function scaleOf(unit: string): number {
  const scale = SCALES.get(unit);
  if (scale === undefined) throw new Error(`No unit is called ${unit}`);
  return scale;
}

/**
 * Returns the ticker that people use for a unit or currency, as written after an amount: `USDT_ERC20` is `USDT`, `PAYPAL_USD` is
 * `USD`, `WMZ` is `WMZ`. If several currencies share a ticker, their network or payment system is shown with it.
 */
export function tickerOf(code: string): string {
  const [first = code, last] = code.split('_');
  if (last === undefined) return code;
  return isUnit(code) ? last : first;
}

/** Returns the asset that prices a unit: USD for `WMZ` and `PAYPAL_USD`, the unit itself for `BTC`. */
export function assetOf(unit: string): string {
  if (unit === 'WMZ') return 'USD';
  if (unit === 'WME') return 'EUR';
  return unit.includes('_') ? unit.slice(unit.lastIndexOf('_') + 1) : unit;
}
