/** Something that runs until it is ended. */
interface Running {
  stop?(): unknown;
  close?(): unknown;
}

/**
 * Waits for two things that start at the same time. Where one does not start, the other is ended before this throws: left alone it
 * would keep the process of its test alive, and the run would wait until that has had all its minutes.
 */
export async function bothStarted<A extends Running | undefined, B extends Running | undefined>(
  ...starts: readonly [Promise<A>, Promise<B>]
): Promise<[A, B]> {
  const [first, second] = await Promise.allSettled(starts);
  if (first.status === 'fulfilled' && second.status === 'fulfilled') return [first.value, second.value];
  for (const one of [first, second]) if (one.status === 'fulfilled') await end(one.value);
  throw [first, second].find((one) => one.status === 'rejected')?.reason;
}

async function end(one: Running | undefined): Promise<void> {
  if (one?.stop) await one.stop();
  else await one?.close?.();
}
