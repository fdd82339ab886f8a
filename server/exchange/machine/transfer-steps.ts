// Steps of what we send, payouts and refunds alike: what becomes of them, told by payments, and what is done about it.

import { withoutKept } from '../../collecting/index.ts';
import type { Draft } from './draft.ts';
import type { EventOf, OrderEvent } from '../order/events.ts';
import { type Step, afterUnwind, claimBack, unexchange } from './step-helpers.ts';
import { type OrderView, sends } from '../order/order.ts';
import * as postings from './postings.ts';

function transferOf(draft: Draft): NonNullable<OrderView['facts']['transfer']> {
  const { transfer } = draft.order.facts;
  if (!transfer) throw new Error(`${draft.order.id} has no transfer`);
  return transfer;
}

export const TRANSFER_STEPS = {
  stop(draft: Draft): void {
    const transfer = transferOf(draft);
    draft.post(postings.transferIntentReverse(draft.order, transfer));
    draft.note({ transfer: undefined, approved: undefined });
    if (transfer.kind === 'refund') return draft.hold('soft');
    // Anyone who stopped it had a doubt: one person looks at it at least, and two where the sum asks for two.
    const { seasonUntil: _, people, ...approval } = draft.context.approvalFor(transfer.parts);
    draft.go('approving', { approval: { ...approval, people: people === 0 ? 1 : people }, stopped: true });
  },
  sent(draft: Draft, { txid }: EventOf<'transfer_sent'>): void {
    const transfer = transferOf(draft);
    draft.post(postings.departure(draft.order, transfer));
    draft.note({ sent: { ...transfer, ...(txid !== undefined && { txid }) }, transfer: undefined, passing: false });
  },
  failed(draft: Draft, { passing }: EventOf<'transfer_failed'>): void {
    draft.post(postings.departureFailed(draft.order, transferOf(draft)));
    draft.go('undelivered', { passing });
    const { tries } = draft.order.facts;
    draft.note({ transfer: undefined, tries: tries < draft.context.rules.retries ? tries + 1 : tries });
  },
  end(draft: Draft): void {
    const ended = draft.order.state === 'paying' ? 'completed' : 'refunded';
    draft.go(draft.order.positions.receivable > 0n ? 'charged_back' : ended, { ended, tries: 0 });
  },
  returned(draft: Draft, { back }: EventOf<'transfer_returned'>): void {
    const { sent: last } = draft.order.facts;
    if (!last) throw new Error(`${draft.order.id} sent nothing that could come back`);
    draft.post(postings.departureReturned(draft.order, last, back));
    // What providers kept was taken off what was sent: it isn't taken off again.
    if (last.kind === 'refund') draft.payments(withoutKept(draft.order.payments));
    // What was written off is owed again: it is settled from the money that came back.
    const { loss } = draft.order.positions;
    draft.post(postings.writeOffReverse(draft.order));
    draft.addLoss(-loss);
    draft.go('undelivered', { passing: false });
    draft.note({ sent: undefined });
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
    const { slip: breakdown, terms, version, parts } = offer;
    draft.note({
      exchange: undefined,
      approved: undefined,
      boughtBack: { exchange, price: { slip: breakdown, terms, version }, parts },
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
} as const satisfies Record<string, Step>;
