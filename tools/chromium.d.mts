/** The path of a Chromium: $CHROMIUM, then one in PATH, then the newest in Playwright's cache; else undefined. */
export function findChromium(environment?: Readonly<Record<string, string | undefined>>): string | undefined;
