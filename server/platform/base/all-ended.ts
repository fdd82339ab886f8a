/**
 * Returns the results of all promises, once all have settled. If promises failed, throws the error of the first failed promise
 * in the list. So concurrent calls fail as sequential ones would, and none is still running afterwards.
 */
export async function allEnded<const T extends readonly unknown[]>(all: T): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  await Promise.allSettled(all);
  return Promise.all(all);
}
