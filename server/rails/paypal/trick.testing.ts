import type { Counterpart } from '../../../sandbox/counterpart.ts';

/** Calls a trick of a counterpart and returns its answer. Throws an Error if there is no such trick. */
export async function trick<T>({ tricks }: Counterpart, name: string, input: Readonly<Record<string, unknown>>): Promise<T> {
  const work = tricks?.[name];
  if (!work) throw new Error(`no trick is called ${name}`);
  return (await work(input)) as T;
}
