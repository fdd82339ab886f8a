import type { Sum } from '../../../features/money.tsx';
import type { IconName } from '../../../ui/base/icons.ts';

/** Which of a provider's two ways back a customer took. Neither says anything about money. */
export type Way = 'paid' | 'unpaid';

/** A line of the slip: words, money, or a code to compare. */
export interface Line {
  readonly label: string;
  readonly value: string | { readonly sum: Sum; readonly sign?: '−' | '+' } | { readonly code: string };
  readonly total?: true;
}

interface Lead {
  readonly label: string;
  readonly href: string;
}

/** The page in words and figures: the browser draws it, and has no words of its own for it. */
export interface Shown {
  readonly title: string;
  /** The colour of the seal: something is there or on its way, or nothing is. */
  readonly seal: 'brand' | 'grey';
  readonly icon: IconName;
  readonly lead: string;
  readonly label: string;
  readonly lines: readonly Line[];
  /** What may be wanted, and what most likely is. */
  readonly ways: readonly [other: Lead, main: Lead];
}
