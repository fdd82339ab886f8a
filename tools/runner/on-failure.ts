// Adds to the error of a failed test what only its process still knows, for example what the pages of a journey show.

/** Each describes the present state, one paragraph per text. */
const witnesses: (() => Promise<readonly string[]>)[] = [];

/** Registers a witness, which is asked after each failed test of this process. */
export function askOnFailure(witness: () => Promise<readonly string[]>): void {
  witnesses.push(witness);
}

/** Puts the texts of all witnesses before the stack of a failed test's error. Skips a witness that throws. */
export async function addWitnesses(thrown: unknown): Promise<void> {
  const { cause = thrown } = thrown as { cause?: unknown };
  if (!(cause instanceof Error)) return;
  const results = await Promise.allSettled(witnesses.map((witness) => witness()));
  const texts = results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
  if (texts.length > 0) cause.stack = [...texts, cause.stack ?? cause.message].join('\n');
}
