import type { Output, Routes } from '@kurs/contract';
import type { Head } from '../../../../server/document/document.ts';

/** Link of a store as the API shows it to its buyers. */
export type PayLink = Output<Routes['paymentLink']>;

/** Name of the part with the store and the link's sum, which only the server renders. */
export const LINK_PANEL = 'link';

/** Data of the page of a link. What never changes is rendered by the server alone, and is left out here. */
export interface LinkData {
  readonly head: Head;
  /** Path of the page, to which its form is sent. */
  readonly path: string;
  readonly link: Omit<PayLink, 'picture'>;
  /** Idempotency key of the form: pressing twice makes one invoice. */
  readonly key: string;
  readonly isSandbox: boolean;
}

/** Data of the page of an unknown link. */
export interface NoLink {
  readonly head: Head;
  readonly link?: undefined;
}

/** Result of the page's form if it was refused. */
export interface LinkAnswer {
  /** Sum in the form in which it was typed. */
  readonly typed: string;
  readonly error?: string;
  readonly message?: string;
}
