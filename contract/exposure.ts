/**
 * What a route, or a page of the site, states of who may show it and who learns where it was shown. What states nothing is in
 * nobody's frame, and tells nobody its address.
 */
export interface Exposure {
  /** Who may show the answer in a frame; nobody without it. */
  readonly framing?: 'anyone';
  /** What a browser that shows the answer tells others of its address (`Referrer-Policy`); nothing without it. */
  readonly referrer?: 'origin' | 'strict-origin-when-cross-origin';
}

/** The rule of a content security policy that says who may show an answer in a frame. */
export const frameAncestors = ({ framing }: Exposure = {}): string => `frame-ancestors ${framing === 'anyone' ? '*' : "'none'"}`;
