import { data } from 'react-router';
import { m } from '../../../features/words.ts';
import type { Head } from '../../../server/document/document.ts';
import { isCallError } from '../../../server/document/failure.ts';
import type { Visit } from '../../../server/routing/visit.ts';

export interface DiscountButtonData {
  readonly head: Head;
  /** The address has what a letter's link has. */
  readonly isWhole: boolean;
}

/**
 * What pressing the button came to: the percentage that is let off now and the coupon that applies, or that the link is good for
 * nothing any more.
 */
export interface DiscountButtonAnswer {
  readonly percent: number | undefined;
  readonly coupon?: string | undefined;
}

const tokenOf = ({ url: { searchParams } }: Visit): string => searchParams.get('token') ?? '';

/** The question: opening a link changes nothing, since programs that look at mail open links. */
export async function load(visit: Visit): Promise<DiscountButtonData> {
  return { head: { title: m.discount_button_head() }, isWhole: tokenOf(visit) !== '' };
}

/** Confirms that the exchange that the letter is about has the discount. */
export async function submit(visit: Visit): Promise<unknown> {
  try {
    return (await visit.client.confirmDiscount({ token: tokenOf(visit) })) satisfies DiscountButtonAnswer;
  } catch (error) {
    if (!isCallError(error) || error.status >= 500) throw error;
    return data({ percent: undefined } satisfies DiscountButtonAnswer, { status: error.status });
  }
}
