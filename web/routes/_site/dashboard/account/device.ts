/** What a browser says of itself, for people. */
export interface DeviceName {
  /** `Firefox`; undefined for what we don't know. */
  readonly browser: string | undefined;
  /** `Linux`; undefined for what we don't know. */
  readonly system: string | undefined;
  readonly isPhone: boolean;
}

/** In this order: most say that they are several. */
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
