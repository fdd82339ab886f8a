/** Returns the path of a Chromium: $CHROMIUM, then one in PATH, then the newest in Playwright's cache; otherwise undefined. */
export function findChromium(environment?: Readonly<Record<string, string | undefined>>): string | undefined;
/** Returns the path of a Firefox of the system: $FIREFOX, then one in PATH; otherwise undefined. */
export function findFirefox(environment?: Readonly<Record<string, string | undefined>>): string | undefined;
