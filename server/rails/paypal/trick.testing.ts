import type { Counterpart } from '../../../sandbox/counterpart.ts';

/** What a counterpart answers to one of its tricks. Throws where it has none of the name. */
export async function trick<T>({ tricks }: Counterpart, name: string, input: Readonly<Record<string, unknown>>): Promise<T> {
  const work = tricks?.[name];
  if (!work) throw new Error(`no trick is called ${name}`);
  return (await work(input)) as T;
}
