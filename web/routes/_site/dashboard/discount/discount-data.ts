import type { Output, Routes } from '@kurs/contract';
import type { Visit } from '../../../../server/routing/visit.ts';

/** What an account holder is let off of the fee. */
export type DiscountData = Output<Routes['userDiscounts']>;

/** Loads the page of discounts. */
export const loadDiscount = ({ client }: Visit): Promise<DiscountData> => client.userDiscounts({});
