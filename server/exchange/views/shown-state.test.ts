import assert from 'node:assert/strict';
import { test } from 'node:test';
import { routes } from '@kurs/contract';
import type { OrderEventRow } from '../order/store/order-store.ts';
import type { Exchange, OrderState } from '../order/order.ts';
import { shownEvents } from '../order/events/shown-events.ts';
import { shownState, shownStateNames, statesBehind } from './shown-state.ts';

test('the contract names each state that is shown, and no other', () => {
  const named = routes.operatorOrders.input.shape.state.unwrap().element.options;
  assert.deepEqual(named.toSorted(), shownStateNames().toSorted());
});

test('an order being paid or refunded shows its payout’s progress', () => {
  const shown = (state: OrderState, payout?: Parameters<typeof shownState>[1], exchange?: Exchange): string =>
    shownState({ state, facts: { ...(exchange && { exchange }) } as never }, payout);
  const payouts = ['queued', 'preparing', 'stopped', 'sending', 'failed', 'in_doubt', 'sent', 'final'] as const;
  assert.deepEqual(
    payouts.map((one) => shown('paying', one)),
    ['queued', 'queued', 'queued', 'sending', 'sending', 'in_doubt', 'sent', 'sent'],
  );
  assert.deepEqual([shown('refunding', 'in_doubt'), shown('refunding')], ['r_in_doubt', 'r_queued']);
  assert.deepEqual([shown('undelivered', undefined, {} as Exchange), shown('undelivered')], ['payout_failed', 'refund_failed']);
  assert.equal(shown('completed', 'final'), 'completed');
});

test('a list is filtered by shown states', () => {
  assert.deepEqual(statesBehind(['queued', 'r_in_doubt', 'payout_failed', 'seen']), {
    plain: ['seen'],
    behindPayouts: [
      ['paying', 'refunding', 'undelivered'],
      ['queued,preparing,stopped', 'in_doubt', null],
      [null, null, 'true'],
    ],
  });
});

test('a timeline shows the progress of its payout', () => {
  const row = (event: string, from: string, to: string): OrderEventRow => ({ event, from, to }) as OrderEventRow;
  const shown = (...rows: OrderEventRow[]): string[] => shownEvents(rows).map(({ event, from, to }) => `${event} ${from} ${to}`);
  assert.deepEqual(
    shown(
      row('payin_final', 'seen', 'paying'),
      row('send', 'paying', 'paying'),
      row('unknown', 'paying', 'paying'),
      row('resend', 'paying', 'paying'),
      row('accepted', 'paying', 'paying'),
      row('transfer_returned', 'paying', 'undelivered'),
      row('op_retry', 'undelivered', 'paying'),
      row('refused', 'paying', 'undelivered'),
      row('take_back', 'undelivered', 'refunding'),
      row('refused', 'refunding', 'undelivered'),
    ),
    [
      'payin_final seen queued',
      'send queued sending',
      'unknown sending in_doubt',
      'resend in_doubt sending',
      'accepted sending sent',
      'transfer_returned sent payout_failed',
      'op_retry payout_failed queued',
      'refused queued payout_failed',
      'take_back payout_failed r_queued',
      'refused r_queued refund_failed',
    ],
  );
});
