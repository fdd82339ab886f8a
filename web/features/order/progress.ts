import { writeClock, writeDeadline } from '../../ui/base/time.ts';
import type { TimelineStep } from '../../ui/parts/timeline.tsx';
import { m } from '../words.ts';
import type { Order } from './order.ts';
import { STATUS_LOOKS, statusOf, standingWord } from './status.tsx';

type Stage = Omit<TimelineStep, 'state'>;

/**
 * Returns the steps of an order for its customer: completed, current and future ones. `isOnChain`: true if the customer pays on a
 * blockchain.
 */
export function progressOf(order: Order, now: number, locale: 'en' | 'ru', isOnChain = true): TimelineStep[] {
  const until = writeDeadline(order.expires_at, now, locale);
  const placed: Stage = {
    title: order.kind === 'unallocated' ? m.progress_unallocated() : m.progress_placed(),
    note: writeClock(order.created_at, true),
    icon: 'check',
  };
  const transfer: Stage = {
    title: isOnChain ? m.progress_transfer() : m.transfer_payment(),
    note:
      order.status === 'waiting'
        ? (isOnChain ? m.progress_transfer_until : m.progress_payment_until)({ time: until })
        : undefined,
    icon: 'hourglass-medium',
  };
  const confirms: Stage = isOnChain
    ? { title: m.progress_confirms(), note: confirmationsNote(order), icon: 'cube' }
    : { title: m.progress_paid(), icon: 'check' };
  const pays: Stage = { title: m.progress_pays(), icon: 'paper-plane-tilt' };
  const done: Stage = { title: m.progress_done(), note: m.progress_done_note(), icon: 'check-circle' };
  const status = statusOf(order);
  const [, icon] = STATUS_LOOKS[status];
  const here: Stage = { title: standingWord(status, locale), icon };
  const way = [placed, transfer, confirms, pays, done];
  switch (order.status) {
    case 'waiting':
      return staged(way, 1);
    case 'seen':
    case 'confirming':
      return staged(way, 2);
    case 'checking':
    case 'choose':
      return staged([placed, transfer, here, pays, done], 2);
    case 'paying':
      return staged(way, 3);
    case 'done':
      return staged(way, way.length);
    case 'refunding':
      return staged([placed, transfer, here, { title: m.progress_refunded(), icon: 'check-circle' }], 2);
    case 'refunded':
      return staged([placed, transfer, { ...here, icon: 'check-circle' }], 3);
    case 'expired':
    case 'cancelled':
    case 'rejected':
      return [...staged([placed], 1), { ...here, state: 'stopped' }];
  }
}

function staged(stages: readonly Stage[], now: number): TimelineStep[] {
  return stages.map((stage, index) => ({ ...stage, state: index < now ? 'done' : index === now ? 'now' : 'todo' }));
}

function confirmationsNote(order: Order): string | undefined {
  const last = order.transfers.findLast(({ kind }) => kind === 'payment');
  if (last?.confirmations === undefined || last.needed === undefined) return undefined;
  return m.progress_confirmations({ count: Math.min(last.confirmations, last.needed), needed: last.needed });
}
