import type { z } from 'zod';
import { type Reply, Unreachable } from './http.ts';

/** Both are in Node; the types of the language's edition don't have them yet. */
type Exact = {
  parse(text: string, reviver: (key: string, value: unknown, context: { readonly source?: string }) => unknown): unknown;
  rawJSON(text: string): unknown;
};
const exact = JSON as unknown as Exact;

/** A number for `JSON.stringify`, written with just these digits. */
export const jsonNumber = (digits: string): unknown => exact.rawJSON(digits);

/**
 * An answer's JSON by a schema, in which each number is the text that stood there: an amount never becomes a float, a long
 * id loses no digit. Throws `Unreachable` where it has another shape: what came of the call is unknown.
 */
export function exactJsonOf<S extends z.ZodType>({ status, text }: Reply, schema: S): z.output<S> {
  let value: unknown;
  try {
    value = exact.parse(text, (_key, part, { source }) => (typeof part === 'number' ? source : part));
  } catch (error) {
    throw new Unreachable(`status ${status}, no JSON`, error);
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new Unreachable(`status ${status}, an answer of another shape at "${parsed.error.issues[0]?.path.join('.') ?? ''}"`);
}
