// Steps for the payouts and refunds of orders: for outcomes that the payments room reports, and for sending again.

import { withoutRetained } from '../../collecting/index.ts';
import type { Draft } from './draft.ts';
import type { EventOf, OrderEvent } from '../order/events/events.ts';
import { type Step, afterUnwind, claimBack, takeBackIntent, unexchange } from './step-helpers.ts';
import { sends } from '../order/order.ts';
import * as postings from './postings.ts';

export const TRANSFER_STEPS = {
  stop(draft: Draft): void {
    const transfer = takeBackIntent(draft);
    draft.note({ approved: undefined });
    if (transfer.kind === 'refund') return draft.hold('soft');
    // The payout was stopped because of a doubt, so at least one person must approve it, and two if its sum requires two.
    const { clearingUntil: _, people, ...approval } = draft.context.approvalFor(transfer.parts);
    draft.waitFor({ ...approval, people: people === 0 ? 1 : people }, { isStopped: true });
  },
  sent(draft: Draft, { txid }: EventOf<'transfer_sent'>): void {
    draft.follow('sent');
    const { sent } = draft.order.facts;
    draft.note({ ...(sent && txid !== undefined && { sent: { ...sent, txid } }), isTransient: false });
  },
  failed(draft: Draft, { isTransient, isRetained }: EventOf<'transfer_failed'>): void {
    if (isRetained) takeBackIntent(draft);
    else draft.follow('notSent');
    draft.go('undelivered', { isTransient });
    const { tries } = draft.order.facts;
    draft.note({ tries: tries < draft.context.rules.retries ? tries + 1 : tries });
  },
  end(draft: Draft): void {
    const ended = draft.order.state === 'paying' ? 'completed' : 'refunded';
    draft.go(draft.order.positions.receivable > 0n ? 'charged_back' : ended, { ended, tries: 0 });
  },
  returned(draft: Draft, { back }: EventOf<'transfer_returned'>): void {
    const { sent: last } = draft.order.facts;
    draft.follow('returned', back);
    // The returned refund was already reduced by the providers' deductions. The next refund must not be reduced by them again.
    if (last?.kind === 'refund') draft.payments(withoutRetained(draft.order.payments));
    // If the debt was written off, it becomes a debt again, so that the money that came back settles it.
    const { loss } = draft.order.positions;
    draft.post(postings.writeOffReverse(draft.order));
    draft.addLoss(-loss);
    draft.go('undelivered', { isTransient: false });
  },
  send_again(draft: Draft, { type }: OrderEvent): void {
    const isByPeople = type === 'op_retry';
    if (sends(draft.order) === 'payout') draft.letOut(isByPeople ? 1 : 0);
    else draft.queueRefund(isByPeople);
  },
  new_account(draft: Draft, { account }: EventOf<'new_account'>): void {
    draft.account(account);
    draft.note({ tries: 0 });
    if (account.side === 'get') draft.letOut();
    else draft.queueRefund();
  },
  rest(draft: Draft): void {
    draft.post(postings.unclaimed(draft.order));
    draft.go('unclaimed');
  },
  settle_reversal(draft: Draft): void {
    unexchange(draft);
    draft.post(postings.debtSettlement(draft.order));
    // The rest of the debt is our cost of sending: the customer is not asked to pay it.
    draft.post(postings.writeOff(draft.order));
    afterUnwind(draft);
  },
  take_back(draft: Draft): void {
    const { offer, exchange } = draft.order.facts;
    if (!offer || !exchange) throw new Error('The guard let a buy-back pass without offer');
    draft.post(postings.buyBack(draft.order, offer.parts));
    const { breakdown, terms, version, parts } = offer;
    draft.note({
      exchange: undefined,
      approved: undefined,
      boughtBack: { exchange, price: { breakdown, terms, version }, parts },
    });
    draft.queueRefund();
  },
  claim(draft: Draft, { type, account }: EventOf<'claim' | 'op_claim'>): void {
    draft.account(account);
    claimBack(draft);
    draft.note({ tries: 0 });
    const isByPeople = type === 'op_claim';
    if (account.side === 'get') draft.letOut(isByPeople ? 2 : 0);
    else draft.queueRefund(isByPeople);
  },
} satisfies Record<string, Step>;
