/** Browser and operating system of a device, in names that people know. */
export interface DeviceName {
  /** Such as `Firefox`; undefined for an unknown browser. */
  readonly browser: string | undefined;
  /** Such as `Linux`; undefined for an unknown system. */
  readonly system: string | undefined;
  readonly isPhone: boolean;
}

/** The order matters: most browsers also name others in their User-Agent. */
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

/** Names a device by its User-Agent. */
export function deviceOf(userAgent: string): DeviceName {
  const of = (table: readonly (readonly [string, RegExp])[]): string | undefined =>
    table.find(([, pattern]) => pattern.test(userAgent))?.[0];
  const system = of(SYSTEMS);
  return { browser: of(BROWSERS), system, isPhone: system === 'iPhone' || /\bMobile\b/.test(userAgent) };
}
