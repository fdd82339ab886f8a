import type { ServerParts } from '../../features/server-part.tsx';
import type { Head } from './document.ts';

/**
 * Parts of a page that only the server renders, by the `head` of the page's data. The data itself contains no parts, because it
 * is sent to the browser.
 */
const parts = new WeakMap<Head, ServerParts>();

/**
 * Stores the parts of a page that only the server renders, under its `head`. Loaders call it, because the result of a loader
 * becomes data for the browser.
 */
export const givePartsTo = (head: Head, given: ServerParts): void => void parts.set(head, given);

/** Returns the parts of a page that only the server renders; most pages have none. */
export const partsOf = (head: Head): ServerParts => parts.get(head) ?? {};
