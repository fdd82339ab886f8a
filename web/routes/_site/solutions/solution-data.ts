import type { Head } from '../../../server/document/document.ts';

/** What the browser knows of a page of words: nothing but its name. */
export interface SolutionData {
  readonly head: Head;
}
