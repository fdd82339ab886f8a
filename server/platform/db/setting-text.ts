// Values of settings as text, in the form that operators read and type.

import { z } from 'zod';

/** Returns a value as text: a string unchanged, anything else as JSON. */
export const settingText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/**
 * Parses a text by a schema: as plain text or, if the schema refuses that, as JSON. Returns undefined if the schema accepts
 * neither.
 */
export function valueOf(schema: z.ZodType, text: string): { readonly value: unknown } | undefined {
  const asText = schema.safeParse(text);
  if (asText.success) return { value: asText.data };
  const parsed = schema.safeParse(jsonOf(text));
  return parsed.success ? { value: parsed.data } : undefined;
}

/**
 * Parses JSON in canonical form only. Returns undefined for anything else, such as `1e3` or an object with the same key twice.
 */
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

/** Returns a description of the values that a schema allows. */
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

/**
 * Returns a description of the decimal numbers that `pattern` matches. Undefined if the pattern is not for decimals with a
 * limited number of digits.
 */
function figureWords(pattern = ''): string | undefined {
  const [, whole, decimals] = /^\^\[0-9\]\{1,(\d+)\}\(\\\.\[0-9\]\{1,(\d+)\}\)\?\$$/.exec(pattern) ?? [];
  return whole && `a figure of at most ${whole} digits, with up to ${decimals} decimals`;
}
