import { data } from 'react-router';
import { m } from '../../../features/words.ts';
import type { Head } from '../../../server/document/document.ts';
import { isCallError } from '../../../server/document/failure.ts';
import type { Visit } from '../../../server/routing/visit.ts';

export interface DiscountButtonData {
  readonly head: Head;
  /** True if the URL contains the token of a letter's link. */
  readonly isWhole: boolean;
}

/**
 * Result of pressing the button: `percent` is the discount in percent of the fee, `coupon` the code of the coupon that applies.
 * `percent` is undefined if the link is no longer valid.
 */
export interface DiscountButtonAnswer {
  readonly percent: number | undefined;
  readonly coupon?: string | undefined;
}

const tokenOf = ({ url: { searchParams } }: Visit): string => searchParams.get('token') ?? '';

/** Loads a page with a button only: programs that scan mail open links, so opening the page must change nothing. */
export async function load(visit: Visit): Promise<DiscountButtonData> {
  return { head: { title: m.discount_button_head() }, isWhole: tokenOf(visit) !== '' };
}

/** Confirms the discount for the exchange that the letter is about. */
export async function submit(visit: Visit): Promise<unknown> {
  try {
    return (await visit.client.confirmDiscount({ token: tokenOf(visit) })) satisfies DiscountButtonAnswer;
  } catch (error) {
    if (!isCallError(error) || error.status >= 500) throw error;
    return data({ percent: undefined } satisfies DiscountButtonAnswer, { status: error.status });
  }
}
