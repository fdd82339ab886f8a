/** Proof-of-work challenge (ALTCHA, version 1). */
export interface Challenge {
  readonly algorithm: string;
  readonly challenge: string;
  readonly maxnumber: number;
  readonly salt: string;
  readonly signature: string;
  /** Provider whose check replaces the proof of work. */
  readonly provider?: { readonly name: 'turnstile' | 'recaptcha'; readonly site_key: string } | null;
}

const hex = (bytes: ArrayBuffer): string =>
  Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('');

/**
 * Finds the number whose hash with the salt equals the challenge, by trying all numbers in order. Returns undefined if no number
 * up to `maxnumber` fits. Hashes are computed in batches, since awaiting each hash alone is slow.
 */
export async function findNumber({ algorithm, challenge, maxnumber, salt }: Challenge): Promise<number | undefined> {
  const encoder = new TextEncoder();
  for (let start = 0; start <= maxnumber; start += 256) {
    const group = Array.from({ length: Math.min(256, maxnumber - start + 1) }, (_, index) => start + index);
    const hashes = await Promise.all(group.map((number) => crypto.subtle.digest(algorithm, encoder.encode(salt + number))));
    const found = hashes.findIndex((hash) => hex(hash) === challenge);
    if (found >= 0) return start + found;
  }
  return undefined;
}

/** Returns the token of a solved challenge: base64 of JSON, in the form that the server checks. */
export function solutionToken({ algorithm, challenge, salt, signature }: Challenge, number: number): string {
  return btoa(JSON.stringify({ algorithm, challenge, number, salt, signature }));
}
