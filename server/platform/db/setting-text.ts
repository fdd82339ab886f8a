// Settings as text, as operators read and type them.

import { z } from 'zod';

/** Returns a value as text: words and figures plain, anything with parts as JSON. */
export const settingText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** Parses a text by a schema: as plain text, else as JSON. Undefined if the schema accepts neither. */
export function valueOf(schema: z.ZodType, text: string): { readonly value: unknown } | undefined {
  const asText = schema.safeParse(text);
  if (asText.success) return { value: asText.data };
  const parsed = schema.safeParse(jsonOf(text));
  return parsed.success ? { value: parsed.data } : undefined;
}

/** Parses JSON in its canonical form only. It refuses `1e3`, and objects with the same key twice. */
function jsonOf(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    const bare = text.replace(/"(?:[^"\\]|\\.)*"|\s+/g, (part) => (part.startsWith('"') ? part : ''));
    return JSON.stringify(value) === bare ? value : undefined;
  } catch {
    return undefined;
  }
}

interface Shape {
  readonly type?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly pattern?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Shape[];
  readonly items?: Shape;
  readonly prefixItems?: readonly Shape[];
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly additionalProperties?: Shape | boolean;
}

/** Returns the allowed values of a schema in words. */
export function boundsOf(schema: z.ZodType): string {
  return wordsOf(z.toJSONSchema(schema, { unrepresentable: 'any', io: 'input' }) as Shape);
}

function wordsOf(shape: Shape): string {
  const { type, anyOf, enum: choices, properties, items, prefixItems, additionalProperties } = shape;
  if (anyOf) return [...new Set(anyOf.map(wordsOf))].join(' or ');
  if (shape.const !== undefined) return shape.const === '' ? 'empty' : settingText(shape.const);
  if (choices) return choices.map(settingText).join(', ');
  if (type === 'integer' || type === 'number') return `${shape.minimum} to ${shape.maximum}`;
  if (type === 'boolean') return 'true or false';
  if (type === 'null') return 'null';
  if (properties)
    return `{ ${Object.entries(properties)
      .map(([name, part]) => `${name}: ${wordsOf(part)}`)
      .join('; ')} }`;
  if (prefixItems) return `[ ${[...new Set(prefixItems.map(wordsOf))].join(', ')} ] × ${prefixItems.length}`;
  if (type === 'array') return `a list of: ${wordsOf(items ?? {})}`;
  if (type === 'object') return `by name: ${wordsOf(typeof additionalProperties === 'object' ? additionalProperties : {})}`;
  return figureWords(shape.pattern) ?? 'text';
}

/** Returns the words for decimal text, if the pattern is one that limits its digits. */
function figureWords(pattern = ''): string | undefined {
  const [, whole, decimals] = /^\^\[0-9\]\{1,(\d+)\}\(\\\.\[0-9\]\{1,(\d+)\}\)\?\$$/.exec(pattern) ?? [];
  return whole && `a figure of at most ${whole} digits, with up to ${decimals} decimals`;
}
