// Reads the parameters of links, including links that were damaged when people shared them.

import { linkedReferences } from '@kurs/contract/reference';

/** Parameters in links of monitors and affiliates. */
const NAMES = new Set(['cur_from', 'cur_to', 'lang', 'ref', 'sub']);
/** Maximum number of references that are looked up for one link. */
const MAX = 8;

/**
 * Returns the query of a link, also of a damaged one. A second `?` is read as `&`. The names in `NAMES` are accepted in any
 * letter case, with spaces around them, as lists (`ref[]=`), and as copied from HTML code (`&amp;ref=`).
 */
export function linkQuery({ search }: URL): URLSearchParams {
  const given = new URLSearchParams(search.slice(1).replaceAll('?', '&'));
  return new URLSearchParams([...given].map(([name, value]) => [ownName(name), value]));
}

function ownName(name: string): string {
  const own = name.replace(/^(?:[\s\p{Cf}]|amp;)+|\[\d*\]$|[\s\p{Cf}]+$/gu, '').toLowerCase();
  return NAMES.has(own) ? own : name;
}

/** Returns the possible references in a link's query, in the order in which they are looked up. */
export const referencesIn = (query: URLSearchParams): string[] =>
  [...new Set(query.getAll('ref').flatMap(linkedReferences))].slice(0, MAX);
