import { data } from 'react-router';
import type { Output, Routes } from '@kurs/contract';
import { isCallError } from '../../../../server/document/failure.ts';
import { couponRefusal } from '../../../../features/calculator/coupon-refusal.ts';
import { restOf } from '../../../../features/rest-of.ts';
import type { Visit } from '../../../../server/routing/visit.ts';

/** Discounts of the account: loyalty level, credit and coupons. */
export type DiscountData = Output<Routes['userDiscounts']>;

/** Result of the form that adds a coupon's code. */
export interface AddAnswer {
  readonly code: string;
  /** Reason why the code was refused. */
  readonly refused?: string | undefined;
  /** Reason why the code could not be checked, such as too many requests. */
  readonly message?: string | undefined;
}

/** Loads the page of discounts. */
export const load = ({ client }: Visit): Promise<DiscountData> => client.userDiscounts({});

/** Adds a coupon's code, or switches the use of credit on or off. */
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
