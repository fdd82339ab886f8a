/** Names of a device's browser and operating system, as people know them. */
export interface DeviceName {
  /** Name of the browser, such as `Firefox`; undefined if it is unknown. */
  readonly browser: string | undefined;
  /** Name of the operating system, such as `Linux`; undefined if it is unknown. */
  readonly system: string | undefined;
  readonly isPhone: boolean;
}

/** Browsers, the first match wins: most User-Agents also contain the names of other browsers. */
const BROWSERS = [
  ['Edge', /\bEdg(?:e|A|iOS)?\//],
  ['Opera', /\bOPR\//],
  ['Yandex', /\bYaBrowser\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:Chrome|CriOS|HeadlessChrome)\//],
  ['Safari', /\bSafari\//],
] as const;
const SYSTEMS = [
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMac OS X\b/],
  ['Linux', /\bLinux\b/],
] as const;

/** Returns the name of a device from its User-Agent. */
export function deviceOf(userAgent: string): DeviceName {
  const of = (table: readonly (readonly [string, RegExp])[]): string | undefined =>
    table.find(([, pattern]) => pattern.test(userAgent))?.[0];
  const system = of(SYSTEMS);
  return { browser: of(BROWSERS), system, isPhone: system === 'iPhone' || /\bMobile\b/.test(userAgent) };
}
