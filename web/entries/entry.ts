/** Others whose scripts a page may load: for signing in, for the robot check and for the chat. */
export type Other = 'google' | 'botCheck' | 'chat';

/** What the browser may load on the pages of an entry, and from whom. */
export interface Policy {
  /** Kinds of our own files that its pages load, beside their scripts. */
  readonly loads: readonly ('style' | 'img' | 'font' | 'worker' | 'manifest')[];
  /** Others whose scripts a page opens. Takes its name; undefined for an address that no page has. */
  opens(page: string | undefined): readonly Other[];
}

/** A part of the web that is built, bounded and let in by itself. */
export interface Entry {
  /** Pattern of the names of its classes, as Vite's `generateScopedName` takes it. */
  readonly classNames: string;
  /** Most bytes that its pages may be sent in, by kind. */
  readonly budget: Readonly<Record<string, number>>;
  readonly policy: Policy;
}
