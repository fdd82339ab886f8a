import { isExactNumber } from '@kurs/contract';

/** Maximum depth of nested objects and lists. Recursive code needs stack for each level. */
const DEEPEST = 64;

/** Faults of valid JSON: duplicate names in an object, too deep nesting, or a number that a double can't hold. */
export type JsonFault = 'body_twins' | 'body_deep' | 'body_number';

/**
 * Returns the fault of a JSON text, such as a field name that occurs twice; undefined if there is no fault. Parsers disagree on
 * which of two equal fields counts, so the parser that checks and the one that acts might see different values. `value`: the
 * parsed text, which has each field once. Names are compared after unescaping (`"a"` is `"\u0061"`).
 */
export function jsonFault(text: string, value: unknown): JsonFault | undefined {
  const { fields, depth, isExact } = readIn(text);
  if (depth > DEEPEST) return 'body_deep';
  if (!isExact) return 'body_number';
  return fields === fieldsOf(value) ? undefined : 'body_twins';
}

const [QUOTE, BACKSLASH, COLON] = [0x22, 0x5c, 0x3a];
/** A number in a JSON text, from the position at which it begins. */
const NUMBER = /-?\d[\d.eE+-]*/y;
const [MINUS, ZERO, NINE] = [0x2d, 0x30, 0x39];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Contents of a JSON text: its fields, its depth, and whether a double holds each of its numbers. */
interface Read {
  readonly fields: number;
  readonly depth: number;
  readonly isExact: boolean;
}

/** Reads a valid JSON text. The content of strings is ignored. */
function readIn(text: string): Read {
  let [fields, open, depth, isExact] = [0, 0, 0, true];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (code === COLON) fields += 1;
    else if (code === OPEN_LIST || code === OPEN_OBJECT) depth = Math.max(depth, (open += 1));
    else if (code === CLOSE_LIST || code === CLOSE_OBJECT) open -= 1;
    else if (code === MINUS || (code >= ZERO && code <= NINE)) {
      const number = numberAt(text, at);
      isExact &&= isExactNumber(number);
      at += number.length - 1;
    }
  }
  return { fields, depth, isExact };
}

function numberAt(text: string, begin: number): string {
  NUMBER.lastIndex = begin;
  return NUMBER.exec(text)?.[0] ?? text.charAt(begin);
}

/** Returns the position at which a string ends. */
function endOfString(text: string, begin: number): number {
  for (let at = begin + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at;
    if (code === BACKSLASH) at += 1;
  }
  return text.length;
}

/**
 * Returns the number of fields in a value, including nested objects. This function isn't recursive, so a deep value can't
 * exhaust the stack.
 */
function fieldsOf(value: unknown): number {
  let count = 0;
  const open: unknown[] = [value];
  while (open.length > 0) {
    const one = open.pop();
    if (typeof one !== 'object' || one === null) continue;
    const inner: unknown[] = Object.values(one);
    if (!Array.isArray(one)) count += inner.length;
    for (const each of inner) if (typeof each === 'object') open.push(each);
  }
  return count;
}
