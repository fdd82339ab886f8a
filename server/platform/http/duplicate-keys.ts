/**
 * Whether an object in a text of JSON has a field twice: readers disagree which of the two counts, so one that checks and one
 * that acts may see different bodies. `value`: what the text was parsed as, which has each field once; names are compared as they
 * are read (`"a"` is `"\u0061"`).
 */
export const hasDuplicateKeys = (text: string, value: unknown): boolean => fieldsIn(text) !== fieldsOf(value);

const [QUOTE, BACKSLASH, COLON] = [0x22, 0x5c, 0x3a];

/** How many fields are written in a text that is right JSON: the colons that stand in no string. */
function fieldsIn(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === COLON) count += 1;
    else if (code === QUOTE) at = endOfString(text, at);
  }
  return count;
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
