import { data } from 'react-router';
import type { Output, Routes } from '@kurs/contract';
import { isCallError } from '../../../../server/document/failure.ts';
import { couponRefusal } from '../../../../features/calculator/coupon-refusal.ts';
import { restOf } from '../../../../features/rest-of.ts';
import type { Visit } from '../../../../server/routing/visit.ts';

/** What an account holder is let off of the fee. */
export type DiscountData = Output<Routes['userDiscounts']>;

/** What adding a code came to: words where it was refused. */
export interface AddAnswer {
  readonly code: string;
  /** Why the code gives nothing. */
  readonly refused?: string | undefined;
  /** Why it was not looked at, which is no fault of the code. */
  readonly message?: string | undefined;
}

/** Loads the page of discounts. */
export const load = ({ client }: Visit): Promise<DiscountData> => client.userDiscounts({});

/** Adds the code of a coupon, or switches the credit on or off. */
export async function submit({ client }: Visit, form: URLSearchParams): Promise<unknown> {
  const credit = form.get('credit');
  if (credit !== null) {
    await client.couponCredit({ on: credit === 'on' });
    return null;
  }
  const code = form.get('code') ?? '';
  try {
    await client.couponAdd({ code });
    return { code } satisfies AddAnswer;
  } catch (error) {
    if (!isCallError(error) || error.status >= 500) throw error;
    const refused = error.errors['code']?.[0] ?? couponRefusal(error);
    const message = refused === undefined ? restOf(error, () => false) : undefined;
    return data({ code, refused, message } satisfies AddAnswer, { status: error.status });
  }
}
