/** What scripts of others are for. Each comes only once a person has allowed it, and each is allowed for itself. */
export const PURPOSES = ['google', 'robots', 'chat'] as const;
export type Purpose = (typeof PURPOSES)[number];

const key = (purpose: Purpose): string => `allowed ${purpose}`;

/** What was decided in this browser; undefined where nobody has been asked, or nothing can be kept. */
export function decided(purpose: Purpose): 'yes' | 'no' | undefined {
  try {
    const kept = localStorage.getItem(key(purpose));
    return kept === 'yes' || kept === 'no' ? kept : undefined;
  } catch {
    return undefined;
  }
}

/** Keeps a decision in this browser until it is taken back. */
export function decide(purpose: Purpose, answer: 'yes' | 'no'): void {
  try {
    localStorage.setItem(key(purpose), answer);
  } catch {
    // A browser that keeps nothing asks each time.
  }
}

/** Who serves a script, as people are told. */
export const hostOf = (script: string): string => new URL(script, location.href).host;
