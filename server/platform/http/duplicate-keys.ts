/** A string of JSON, with the colon behind it where it is a field's name, or what opens or closes an object or a list. */
const TOKEN = /"(?:[^"\\]|\\[^])*"(\s*:)?|[{}[\]]/g;

/**
 * Whether an object in a text of JSON has a field twice: readers disagree which of the two counts, so one that checks and one
 * that acts may see different bodies. Names are compared as they are read (`"a"` is `"\u0061"`). The text has to be right JSON:
 * to be asked after it was parsed.
 */
export function hasDuplicateKeys(text: string): boolean {
  const open: Set<string>[] = [];
  for (const [token, colon] of text.matchAll(TOKEN)) {
    if (token === '{' || token === '[') open.push(new Set());
    else if (token === '}' || token === ']') open.pop();
    else if (colon !== undefined) {
      const name = JSON.parse(token.slice(0, -colon.length)) as string;
      const names = open.at(-1);
      if (names?.has(name)) return true;
      names?.add(name);
    }
  }
  return false;
}
