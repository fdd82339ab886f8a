/** Purposes of third-party scripts. A script is loaded only if the visitor has permitted its purpose. */
export const PURPOSES = ['google', 'robots', 'chat'] as const;
export type Purpose = (typeof PURPOSES)[number];

const key = (purpose: Purpose): string => `allowed ${purpose}`;

/**
 * Returns the visitor's decision about a purpose, as stored in this browser; undefined if there is none or the browser allows no
 * storage.
 */
export function decided(purpose: Purpose): 'yes' | 'no' | undefined {
  try {
    const stored = localStorage.getItem(key(purpose));
    return stored === 'yes' || stored === 'no' ? stored : undefined;
  } catch {
    return undefined;
  }
}

/** Stores the visitor's decision about a purpose in this browser, until they change it. */
export function decide(purpose: Purpose, answer: 'yes' | 'no'): void {
  try {
    localStorage.setItem(key(purpose), answer);
  } catch {
    // Without storage the browser asks the visitor each time.
  }
}

/** Returns the host that serves a script, to show to visitors. */
export const hostOf = (script: string): string => new URL(script, location.href).host;
