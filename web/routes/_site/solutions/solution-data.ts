import type { Head } from '../../../server/document/document.ts';

/** Data that the browser gets for a page of text: the head only, since the server renders the whole page. */
export interface SolutionData {
  readonly head: Head;
}
