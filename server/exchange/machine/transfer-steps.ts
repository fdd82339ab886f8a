// Steps of what we send, payouts and refunds alike: what becomes of them, told by payments, and what is done about it.

import { withoutKept } from '../../collecting/index.ts';
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
    // Anyone who stopped it had a doubt: one person looks at it at least, and two where the sum asks for two.
    const { clearingUntil: _, people, ...approval } = draft.context.approvalFor(transfer.parts);
    draft.waitFor({ ...approval, people: people === 0 ? 1 : people }, { stopped: true });
  },
  sent(draft: Draft, { txid }: EventOf<'transfer_sent'>): void {
    draft.follow('sent');
    const { sent } = draft.order.facts;
    draft.note({ ...(sent && txid !== undefined && { sent: { ...sent, txid } }), passing: false });
  },
  failed(draft: Draft, { passing, kept }: EventOf<'transfer_failed'>): void {
    if (kept) takeBackIntent(draft);
    else draft.follow('notSent');
    draft.go('undelivered', { passing });
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
    // What providers kept was taken off what was sent: it isn't taken off again.
    if (last?.kind === 'refund') draft.payments(withoutKept(draft.order.payments));
    // What was written off is owed again: it is settled from the money that came back.
    const { loss } = draft.order.positions;
    draft.post(postings.writeOffReverse(draft.order));
    draft.addLoss(-loss);
    draft.go('undelivered', { passing: false });
  },
  send_again(draft: Draft, { type }: OrderEvent): void {
    const byPeople = type === 'op_retry';
    if (sends(draft.order) === 'payout') draft.letOut(byPeople ? 1 : 0);
    else draft.queueRefund(byPeople);
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
    // What is owed still is what sending cost: nobody will ask the customer for it.
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
    const byPeople = type === 'op_claim';
    if (account.side === 'get') draft.letOut(byPeople ? 2 : 0);
    else draft.queueRefund(byPeople);
  },
} satisfies Record<string, Step>;
