/** Third parties whose scripts a page may load: for sign-in, for the robot check and for the chat. */
export type Other = 'google' | 'botCheck' | 'chat';

/** Sources that the browser may load on an entry's pages. The content security policy is made from them. */
export interface Policy {
  /** Kinds of files from our own origin that the entry's pages load besides scripts. */
  readonly loads: readonly ('style' | 'img' | 'font' | 'worker' | 'manifest')[];
  /**
   * Returns the third parties whose scripts a page may load. `page` is the page's name; undefined stands for the error page of an
   * unknown URL.
   */
  opens(page: string | undefined): readonly Other[];
}

/** Part of the web with its own bundles, size budget and content security policy. */
export interface Entry {
  /** Pattern for the names of CSS classes, in the form of Vite's `generateScopedName`. */
  readonly classNames: string;
  /** Maximum compressed size of an entry's page, in bytes, by kind of file. */
  readonly budget: Readonly<Record<string, number>>;
  readonly policy: Policy;
}
