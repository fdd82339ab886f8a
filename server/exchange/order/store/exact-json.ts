/** What a string must not look like by itself: such a one is written with an apostrophe before it. */
const MARKED = /^'*-?[0-9]+[nt]$/;

/** JSON text in which a bigint is written as `"123n"` and a Date as `"1767225600000t"`: everything comes back as it was. */
export function toExactJson(value: unknown): string {
  return JSON.stringify(marked(value));
}

/** Reads what `toExactJson` wrote. */
export function fromExactJson<T>(text: string): T {
  return unmarked(JSON.parse(text)) as T;
}

// Walks of their own: the functions that JSON.parse and JSON.stringify take cost four times as much.

function marked(value: unknown): unknown {
  if (typeof value === 'string') return isMarked(value) ? `'${value}` : value;
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Date) return `${value.getTime()}t`;
  if (Array.isArray(value)) return value.map(marked);
  const made: Record<string, unknown> = {};
  for (const key of Object.keys(value)) made[key] = marked((value as Record<string, unknown>)[key]);
  return made;
}

/** Puts bigints and Dates back in place. */
function unmarked(value: unknown): unknown {
  if (typeof value === 'string') return isMarked(value) ? read(value) : value;
  if (typeof value !== 'object' || value === null) return value;
  const entries = value as Record<string, unknown>;
  for (const key of Object.keys(entries)) {
    const entry = entries[key];
    if (typeof entry === 'string' || typeof entry === 'object') entries[key] = unmarked(entry);
  }
  return value;
}

/** Nearly all texts differ in their last letter already. */
function isMarked(text: string): boolean {
  const last = text.charCodeAt(text.length - 1);
  return (last === N || last === T) && MARKED.test(text);
}

const N = 'n'.charCodeAt(0);
const T = 't'.charCodeAt(0);

function read(entry: string): string | bigint | Date {
  if (entry.startsWith("'")) return entry.slice(1);
  const digits = entry.slice(0, -1);
  return entry.endsWith('n') ? BigInt(digits) : new Date(Number.parseInt(digits, 10));
}
