import type { ServerParts } from '../../features/server-part.tsx';
import type { Head } from './document.ts';

/** Parts that only the server renders, by the head of the page's loader. They are no part of the page's data. */
const parts = new WeakMap<Head, ServerParts>();

/** Sets the page's server parts. Loaders call it. Their results become the page's data, which the parts must not. */
export const givePartsTo = (head: Head, given: ServerParts): void => void parts.set(head, given);

/** Returns the server parts of a page; most pages have none. */
export const partsOf = (head: Head): ServerParts => parts.get(head) ?? {};
