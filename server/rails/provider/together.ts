/**
 * Does one thing for each of many, a few at a time, and gives the results in their order. The first failure is thrown: what
 * was only half looked at says nothing.
 */
export async function together<T, R>(many: readonly T[], most: number, work: (one: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (let at = 0; at < many.length; at += most) results.push(...(await Promise.all(many.slice(at, at + most).map(work))));
  return results;
}
