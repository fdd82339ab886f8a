// What is asked where a test failed, while it is still there: what the pages say that a journey had open.

/** Each tells something of now, a paragraph each; what tests share registers here, and this knows none of them. */
const witnesses: (() => Promise<readonly string[]>)[] = [];

/** From now on this is asked whenever a test of this process fails, and what it tells stands with the error. */
export function askOnFailure(witness: () => Promise<readonly string[]>): void {
  witnesses.push(witness);
}

/** Adds what the witnesses tell to the error of a failed test. Never throws: a witness that can't tell is passed over. */
export async function tellWithError(thrown: unknown): Promise<void> {
  const { cause = thrown } = thrown as { cause?: unknown };
  if (!(cause instanceof Error)) return;
  const told = await Promise.allSettled(witnesses.map((witness) => witness()));
  const texts = told.flatMap((each) => (each.status === 'fulfilled' ? each.value : []));
  if (texts.length > 0) cause.stack = [...texts, cause.stack ?? cause.message].join('\n');
}
