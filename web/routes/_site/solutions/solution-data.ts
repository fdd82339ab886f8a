import type { Head } from '../../../server/document/document.ts';

/** Data that the browser gets for a page of text: the head alone, since the server draws the rest. */
export interface SolutionData {
  readonly head: Head;
}
