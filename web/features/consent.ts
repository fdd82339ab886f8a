/** Purposes of third-party scripts. Each script is loaded only with the visitor's permission for its purpose. */
export const PURPOSES = ['google', 'robots', 'chat'] as const;
export type Purpose = (typeof PURPOSES)[number];

const key = (purpose: Purpose): string => `allowed ${purpose}`;

/** Returns the decision stored in this browser; undefined if there is none or the browser allows no storage. */
export function decided(purpose: Purpose): 'yes' | 'no' | undefined {
  try {
    const stored = localStorage.getItem(key(purpose));
    return stored === 'yes' || stored === 'no' ? stored : undefined;
  } catch {
    return undefined;
  }
}

/** Stores a decision in this browser until it is withdrawn. */
export function decide(purpose: Purpose, answer: 'yes' | 'no'): void {
  try {
    localStorage.setItem(key(purpose), answer);
  } catch {
    // Without storage the browser asks the visitor each time.
  }
}

/** Returns the host that serves a script, to show to visitors. */
export const hostOf = (script: string): string => new URL(script, location.href).host;
