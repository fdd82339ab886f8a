/**
 * Framing and referrer policy of a route or a page. By default nobody may show the answer in a frame, and browsers send no
 * referrer from it.
 */
export interface Exposure {
  /** Sites that may show the answer in a frame; none by default. */
  readonly framing?: 'anyone';
  /** Value of `Referrer-Policy` for the answer; by default no referrer is sent. */
  readonly referrer?: 'origin' | 'strict-origin-when-cross-origin';
}

/** Returns the directive of a content security policy that says who may frame an answer. */
export const frameAncestors = ({ framing }: Exposure = {}): string => `frame-ancestors ${framing === 'anyone' ? '*' : "'none'"}`;
