// What an order's payments count as: by their screening, which they wait for, and held where one that can be taken
// back isn't paid from its customer's own account.

import { isReversible, screens, strangersAmong, verdictsOnPayments } from '../../compliance/index.ts';
import type { PayinBody } from '../../payments/index.ts';
import type { Tx } from '../../platform/index.ts';
import type { Context } from '../order/events.ts';
import type { StoredOrder } from '../order/order-store.ts';

export type Verdict = Context['screening'];

/** What is known of a group's payments: whether one that is final counts, is held or has to wait; and why it is held. */
export interface Judged {
  verdict(payin: PayinBody): Verdict | 'waits';
  why(payin: PayinBody): { readonly why?: string };
}

const STRANGER = 'paid from an account that isn’t known as this person’s';

/** Has new payments screened, and judges those that are final now. `orders`: the locked ones that they are for. */
export async function judgePayments(
  tx: Tx,
  told: readonly { readonly orderId: string; readonly body: PayinBody }[],
  orders: readonly StoredOrder[],
): Promise<Judged> {
  const final = told.filter(({ body }) => body.event === 'final');
  const strangers = await strangePayments(tx, final, orders);
  const verdicts = screens() ? await verdictsOnPayments(tx, told.map(({ body }) => ({ ...body, isFinal: body.event === 'final' }))) : undefined; // prettier-ignore
  const isStrange = ({ payinId, event }: PayinBody): boolean => event === 'final' && strangers.has(payinId);
  return {
    verdict: (payin) => {
      const screened = !verdicts || payin.event !== 'final' ? 'clean' : (verdicts.get(payin.payinId) ?? 'waits');
      return screened === 'clean' && isStrange(payin) ? 'soft' : screened;
    },
    why: (payin) => (isStrange(payin) ? { why: STRANGER } : {}),
  };
}

/** Payments, by id, that can be taken back and don't come from their customer's own account. */
async function strangePayments(
  tx: Tx,
  final: readonly { readonly orderId: string; readonly body: PayinBody }[],
  orders: readonly StoredOrder[],
): Promise<Set<string>> {
  const emails = new Map(orders.map(({ view, email }) => [view.id, email]));
  const paying = final.flatMap(({ orderId, body: { currency, payinId, from } }) => {
    const email = emails.get(orderId);
    return email === undefined || !isReversible(currency) ? [] : [{ payinId, orderId, email, accounts: from }];
  });
  const strangers = await strangersAmong(tx, paying);
  return new Set(paying.filter((_, at) => strangers.has(at)).map(({ payinId }) => payinId));
}
