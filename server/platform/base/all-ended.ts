/**
 * What all of these give, once all have ended. Throws what the first of them, by its place, has failed with: so what is asked at
 * once is told as if it were asked in turn, and nothing of it is still under way.
 */
export async function allEnded<const T extends readonly unknown[]>(all: T): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  await Promise.allSettled(all);
  return Promise.all(all);
}
