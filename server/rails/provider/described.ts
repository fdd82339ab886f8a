// Words for the fields of a provider's settings, besides the schema itself. They are used in the example file, and in messages
// about mistakes in a file.

import { z } from 'zod';

/** Words for a field. */
export interface FieldWords {
  /** Meaning of the field. */
  readonly description: string;
  /** The page of the provider that shows it, or another source. */
  readonly where: string;
  /** Value in the example file. An object's example consists of the examples of its fields. */
  readonly example?: unknown;
}

/** A field of settings by its path (`wallets.USD`), with its words. */
export interface SettingsField extends FieldWords {
  readonly path: string;
  /** Default value; undefined if there is none. */
  readonly initial: string | undefined;
  readonly isNeeded: boolean;
}

/** Attaches words to a field. */
export const field = <S extends z.ZodType>(schema: S, words: FieldWords): S => schema.meta({ ...words });

interface Unwrapped {
  readonly schema: z.ZodType;
  readonly words: FieldWords | undefined;
  readonly initial: unknown;
  readonly isOptional: boolean;
}

/** Returns a schema without its optional and default layers, and the words on any layer. */
function unwrap(schema: z.ZodType): Unwrapped {
  let at = schema;
  let words: FieldWords | undefined;
  let initial: unknown;
  let isOptional = false;
  for (;;) {
    words ??= at.meta() as FieldWords | undefined;
    if (at instanceof z.ZodOptional) isOptional = true;
    else if (at instanceof z.ZodDefault || at instanceof z.ZodPrefault) initial = at.def.defaultValue;
    else return { schema: at, words, initial, isOptional };
    at = at.def.innerType as z.ZodType;
  }
}

const shapeOf = (schema: z.ZodType): [string, z.ZodType][] =>
  schema instanceof z.ZodObject ? (Object.entries(schema.shape) as [string, z.ZodType][]) : [];

/** Returns every field that holds a value, in the order of the schema. Throws an Error for a field without words. */
export function fieldsOf(schema: z.ZodType, above = '', isOptionalAbove = false): SettingsField[] {
  return shapeOf(schema).flatMap(([name, one]): SettingsField[] => {
    const { schema: inner, words, initial, isOptional } = unwrap(one);
    const path = above === '' ? name : `${above}.${name}`;
    if (inner instanceof z.ZodObject) return fieldsOf(inner, path, isOptionalAbove || isOptional || initial !== undefined);
    if (!words) throw new Error(`Nothing says what ${path} is`);
    const isNeeded = !isOptionalAbove && !isOptional && initial === undefined;
    return [{ ...words, path, isNeeded, initial: initial === undefined ? undefined : textOf(initial) }];
  });
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** Returns example settings: every field with an example, except those with a default. */
export function exampleOf(schema: z.ZodType): Record<string, unknown> {
  const entries = shapeOf(schema).flatMap(([name, one]): [string, unknown][] => {
    const { schema: inner, words, initial } = unwrap(one);
    if (initial !== undefined) return [];
    if (inner instanceof z.ZodObject) return [[name, exampleOf(inner)]];
    return words?.example === undefined ? [] : [[name, words.example]];
  });
  return Object.fromEntries(entries);
}

/** Returns the mistakes in settings, in words: names and meanings of fields, but no given value, which may be a secret. */
export function wrongWith(schema: z.ZodType, { issues }: z.ZodError): string[] {
  const fields = new Map(fieldsOf(schema).map((one) => [one.path, one]));
  return issues.flatMap((issue) => {
    const path = issue.path.join('.');
    const known = fields.get(path);
    if (issue.code === 'unrecognized_keys')
      return issue.keys.map((key) => unknownWords(path === '' ? key : `${path}.${key}`, fields));
    if (issue.code === 'invalid_type' && issue.input === undefined && /received undefined/.test(issue.message))
      return `${path} is missing${known ? `: ${sentenceOf(known)}` : ''}`;
    if (known === undefined) return `${path === '' ? 'the file' : path}: ${plain(issue.message)}`;
    return `${path} can't be that: ${sentenceOf(known)}${known.example === undefined ? '' : `, like ${textOf(known.example)}`}`;
  });
}

const sentenceOf = ({ description, where }: FieldWords): string => `${description} (${where})`;

/** Returns a schema's message in words. Only the library's message for a missing object is replaced. */
const plain = (message: string): string => (message.startsWith('Invalid input: expected object') ? 'no list of fields' : message);

function unknownWords(path: string, fields: ReadonlyMap<string, SettingsField>): string {
  const bare = (text: string): string => text.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
  const near = [...fields.keys()].find((one) => isNear(bare(one), bare(path)));
  const name = /^[\w.-]{1,60}$/.test(path) ? path : 'a field';
  return `${name} is no field here${near === undefined ? '' : `; ${near} is`}`;
}

/** True if two names differ by one letter (added, missing or replaced), or by two adjacent letters in the other order. */
function isNear(one: string, other: string): boolean {
  if (Math.abs(one.length - other.length) > 1) return false;
  let start = 0;
  while (start < one.length && one[start] === other[start]) start += 1;
  const [a, b] = [one.slice(start), other.slice(start)];
  return (
    a.slice(1) === b.slice(1) ||
    a.slice(1) === b ||
    a === b.slice(1) ||
    (a[0] === b[1] && a[1] === b[0] && a.slice(2) === b.slice(2))
  );
}
