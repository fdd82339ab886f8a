/**
 * Returns the results of all promises, once all have settled. Throws the error of the first that failed, by its place in the
 * list: concurrent calls fail as sequential ones would, and none is still running afterwards.
 */
export async function allEnded<const T extends readonly unknown[]>(all: T): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  await Promise.allSettled(all);
  return Promise.all(all);
}
