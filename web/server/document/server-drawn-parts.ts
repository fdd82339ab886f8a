import type { ServerParts } from '../../features/server-part.tsx';
import type { Head } from './document.ts';

/** What the server draws of a page beside what the browser knows of it, by the head that its loader gave. */
const parts = new WeakMap<Head, ServerParts>();

/** Says what stands in the page's server parts. Loaders call it; what they return goes into the page's data, this doesn't. */
export const givePartsTo = (head: Head, given: ServerParts): void => void parts.set(head, given);

/** The parts of a page; none for most. */
export const partsOf = (head: Head): ServerParts => parts.get(head) ?? {};
