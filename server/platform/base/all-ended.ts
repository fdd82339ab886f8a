/**
 * Waits until all promises have settled, and returns their results. If promises failed, throws the error of the first failed
 * promise in the list. Concurrent calls then fail as sequential calls would, and no call is still running.
 */
export async function allEnded<const T extends readonly unknown[]>(all: T): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  await Promise.allSettled(all);
  return Promise.all(all);
}
