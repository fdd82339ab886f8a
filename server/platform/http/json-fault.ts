/** How deep objects and lists may stand in each other: what walks a value by itself needs stack for each level. */
const DEEPEST = 64;

/** What is wrong with JSON that any reader takes: a field that stands twice in an object, or a depth that nobody means. */
export type JsonFault = 'body_twins' | 'body_deep';

/**
 * What is wrong with a text of JSON, undefined for nothing. Readers disagree which of two fields of one name counts, so one that
 * checks and one that acts may see different bodies. `value`: what the text was parsed as, which has each field once; names are
 * compared as they are read (`"a"` is `"\u0061"`).
 */
export function jsonFault(text: string, value: unknown): JsonFault | undefined {
  const { fields, depth } = readIn(text);
  if (depth > DEEPEST) return 'body_deep';
  return fields === fieldsOf(value) ? undefined : 'body_twins';
}

const [QUOTE, BACKSLASH, COLON] = [0x22, 0x5c, 0x3a];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/** How many fields are written in a text that is right JSON, and how deep objects and lists stand in each other: by what is in no string. */
function readIn(text: string): { readonly fields: number; readonly depth: number } {
  let [fields, open, depth] = [0, 0, 0];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (code === COLON) fields += 1;
    else if (code === OPEN_LIST || code === OPEN_OBJECT) depth = Math.max(depth, (open += 1));
    else if (code === CLOSE_LIST || code === CLOSE_OBJECT) open -= 1;
  }
  return { fields, depth };
}

/** Where the string that begins there ends. */
function endOfString(text: string, begin: number): number {
  for (let at = begin + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at;
    if (code === BACKSLASH) at += 1;
  }
  return text.length;
}

/** How many fields all objects in a value have; a deep one takes no more of the stack than a flat one. */
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
