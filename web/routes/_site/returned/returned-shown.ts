import type { Sum } from '../../../features/money.tsx';
import type { IconName } from '../../../ui/base/icons.ts';

/**
 * Kind of the URL to which the provider redirected the customer: after a payment, or after the customer left without paying. It
 * does not prove a payment.
 */
export type Way = 'paid' | 'unpaid';

/** Line of the slip. Its value is a text, an amount, or a code that people compare. */
export interface Line {
  readonly label: string;
  readonly value: string | { readonly sum: Sum; readonly sign?: '−' | '+' } | { readonly code: string };
  readonly isTotal?: true;
}

interface Lead {
  readonly label: string;
  readonly href: string;
}

/** Content of the page. The browser renders it and adds no text of its own. */
export interface ReturnedView {
  readonly title: string;
  /** Colour of the seal, a rosette with an icon: `brand` if money has arrived or is on its way, otherwise `grey`. */
  readonly seal: 'brand' | 'grey';
  readonly icon: IconName;
  readonly lead: string;
  readonly label: string;
  readonly lines: readonly Line[];
  /** Links to continue. The second one is the more likely choice. */
  readonly ways: readonly [other: Lead, main: Lead];
}
