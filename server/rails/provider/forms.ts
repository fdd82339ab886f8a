/**
 * Returns the decoded fields of a form (`application/x-www-form-urlencoded`). Returns undefined if a name comes twice: the signed
 * value and the one that is read must be the same.
 */
export function formOf(raw: Uint8Array): Readonly<Record<string, string>> | undefined {
  const fields: Record<string, string> = Object.create(null) as Record<string, string>;
  for (const [name, value] of new URLSearchParams(Buffer.from(raw).toString('utf8'))) {
    if (Object.hasOwn(fields, name)) return undefined;
    fields[name] = value;
  }
  return fields;
}

const INPUT = /<input\b[^>]*>/gi;
const ATTRIBUTE = /\b(name|value)\s*=\s*(?:'([^']*)'|"([^"]*)")/gi;

/** Returns the input fields of a page, with which some providers answer: `<input name='X' type='hidden' value='Y'>`. */
export function htmlInputs(page: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const [tag] of page.matchAll(INPUT)) {
    const attributes = new Map([...tag.matchAll(ATTRIBUTE)].map(([, name = '', a, b]) => [name.toLowerCase(), a ?? b ?? '']));
    const name = attributes.get('name');
    if (name !== undefined) found.set(name, attributes.get('value') ?? '');
  }
  return found;
}
