import type { z } from 'zod';
import { type Reply, Unreachable } from './http.ts';

/** Functions of `JSON` that Node has, and TypeScript's types for our edition don't have yet. */
type Exact = {
  parse(text: string, reviver: (key: string, value: unknown, context: { readonly source?: string }) => unknown): unknown;
  rawJSON(text: string): unknown;
};
const exact = JSON as unknown as Exact;

/** Returns a number for `JSON.stringify`, written with exactly these digits. Throws a SyntaxError for no JSON. */
export const jsonNumber = (digits: string): unknown => exact.rawJSON(digits);

/**
 * Returns an answer's JSON, checked by a schema. Each number stays the text in the answer: an amount never becomes a float, a long
 * id loses no digit. Throws `Unreachable` for another shape: the effect of the call is then unknown.
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
