// What a link says, however people have shared it.

import { linkedReferences } from '@kurs/contract/reference';

/** Parameters of links that monitors and affiliates hand out. */
const NAMES = new Set(['cur_from', 'cur_to', 'lang', 'ref', 'sub']);
/** How many references of one link are looked up. */
const MOST = 8;

/**
 * The query of a link: a second `?` is read as `&`, and the names of what links say are in small letters, as those that were copied
 * out of a page's code (`&amp;ref=`), with spaces around them, or as lists (`ref[]=`).
 */
export function linkQuery({ search }: URL): URLSearchParams {
  const given = new URLSearchParams(search.slice(1).replaceAll('?', '&'));
  return new URLSearchParams([...given].map(([name, value]) => [ownName(name), value]));
}

function ownName(name: string): string {
  const own = name.replace(/^(?:[\s\p{Cf}]|amp;)+|\[\d*\]$|[\s\p{Cf}]+$/gu, '').toLowerCase();
  return NAMES.has(own) ? own : name;
}

/** The references that a link may name, in the order in which they are looked up. */
export const referencesIn = (query: URLSearchParams): string[] =>
  [...new Set(query.getAll('ref').flatMap(linkedReferences))].slice(0, MOST);
