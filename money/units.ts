/**
 * The units that this build knows and how many digits each has behind the point (`numeric(38,0)` holds any of them).
 * USD is the reporting asset (prices, limits); the rest are what wallets and ledger accounts hold.
 */
export const UNITS = {
  USD: 2,
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

/** Whether a code names a unit that this build knows. */
export function isUnit(code: string): code is Unit {
  return Object.hasOwn(UNITS, code);
}

/** Digits behind the point of a unit. Throws for a code that names no unit: such a code is a fault in the data. */
export function scaleOf(unit: string): number {
  const scale = SCALES.get(unit);
  if (scale === undefined) throw new Error(`No unit is called ${unit}`);
  return scale;
}

/**
 * What people call the money of a unit or a currency, as it stands after an amount: `USDT_ERC20` is `USDT`, `PAYPAL_USD` is
 * `USD`, `WMZ` is `WMZ`. Where several have the same, the network or the payment system is named beside it.
 */
export function tickerOf(code: string): string {
  const [first = code, last] = code.split('_');
  if (last === undefined) return code;
  return isUnit(code) ? last : first;
}

/** The asset whose price stands for a unit: `WMZ` and `PAYPAL_USD` are priced as USD, `BTC` as itself. */
export function assetOf(unit: string): string {
  if (unit === 'WMZ') return 'USD';
  if (unit === 'WME') return 'EUR';
  return unit.includes('_') ? unit.slice(unit.lastIndexOf('_') + 1) : unit;
}
