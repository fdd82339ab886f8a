/** Third parties whose scripts a page may load: for sign-in, for the robot check and for the chat. */
export type Other = 'google' | 'botCheck' | 'chat';

/** Sources that the browser may load on the pages of an entry; the content security policy is made from them. */
export interface Policy {
  /** Kinds of our own files that its pages load besides scripts. */
  readonly loads: readonly ('style' | 'img' | 'font' | 'worker' | 'manifest')[];
  /** Returns the third parties whose scripts a page loads. Takes the page's name; undefined for an address without a page. */
  opens(page: string | undefined): readonly Other[];
}

/** Part of the web with its own build, budget and content security policy. */
export interface Entry {
  /** Pattern of its class names, in the form of Vite's `generateScopedName`. */
  readonly classNames: string;
  /** Maximum compressed size of its pages, in bytes, by kind of file. */
  readonly budget: Readonly<Record<string, number>>;
  readonly policy: Policy;
}
