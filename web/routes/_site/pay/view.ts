import { askedMethod } from './answer.ts';
import { awaitsPayment, isPriceOver, isTimeOver, mayChoose } from './pay-data.ts';
import type { Pay } from './use-pay.ts';

/**
 * Step that the page asks of the buyer: to choose a method, or to pay by the chosen one. `preparing`, `refused` and `over` are
 * states of the chosen one. `none`: nothing is to be paid.
 */
export type View = 'choose' | 'preparing' | 'refused' | 'over' | 'pay' | 'none';

/**
 * Returns the step that the page asks of the buyer. If the price is over while a payment is awaited, the buyer is asked before they
 * get a new one: they choose again, in a list that is folded.
 */
export function viewOf({ data: { invoice }, answer, part, now }: Pick<Pay, 'data' | 'answer' | 'part' | 'now'>): View {
  const { option, chosen_by_store: isOnlyNamed } = invoice;
  if (!mayChoose(invoice) || isTimeOver(invoice, now)) return 'none';
  if (!option || isOnlyNamed || part === 'change' || askedMethod(answer) !== undefined) return 'choose';
  if (isPriceOver(option, now)) return awaitsPayment(invoice) ? 'choose' : 'over';
  return option.status === 'open' ? 'pay' : option.status;
}
