/** The path of a Chromium: $CHROMIUM, then one in PATH, then the newest in Playwright's cache; else undefined. */
export function findChromium(environment?: Readonly<Record<string, string | undefined>>): string | undefined;
/** The path of a Firefox of the system: $FIREFOX, then one in PATH; else undefined. */
export function findFirefox(environment?: Readonly<Record<string, string | undefined>>): string | undefined;
