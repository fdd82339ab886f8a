import { askedMethod } from './answer.ts';
import { mayChoose } from './pay-data.ts';
import type { Pay } from './use-pay.ts';

/**
 * Step that the page asks of the buyer: to choose a method, or to pay by the chosen one. `preparing`, `refused` and `over` are
 * states of the chosen one. `none`: nothing is to be paid.
 */
export type View = 'choose' | 'preparing' | 'refused' | 'over' | 'pay' | 'none';

/** Returns the step that the page asks of the buyer. An option's price ends by the server's time, before any news about it. */
export function viewOf({ data: { invoice }, answer, part, now }: Pick<Pay, 'data' | 'answer' | 'part' | 'now'>): View {
  const { option, chosen_by_store: isOnlyNamed } = invoice;
  if (!mayChoose(invoice)) return 'none';
  if (!option || isOnlyNamed || part === 'change' || askedMethod(answer) !== undefined) return 'choose';
  if (option.status !== 'open') return option.status;
  // The payment to a top-up has the rate of its own moment, so no price of it ends.
  return option.pays !== undefined && Date.parse(option.expires_at) <= now ? 'over' : 'pay';
}
