import type { Output, Routes } from '@kurs/contract';
import { m } from '../../../../../../features/words.ts';
import type { IconName } from '../../../../../../ui/base/icons.ts';
import type { PillTone } from '../../../../../../ui/parts/pill.tsx';

/** Refund with its claims and events. */
export type StoreRefund = Output<Routes['storeRefund']>;
/** Refund in the store's list. */
export type ListedRefund = Output<Routes['refunds']>[number];
export type RefundState = StoreRefund['state'];
export type StoreClaim = StoreRefund['claims'][number];
export type ClaimStatus = StoreClaim['status'];
export type RefundEvent = StoreRefund['events'][number];

interface Look {
  readonly tone: PillTone;
  readonly icon: IconName;
  readonly word: () => string;
}

export const REFUND_LOOKS: Readonly<Record<RefundState, Look>> = {
  open: { tone: 'warning', icon: 'hourglass-medium', word: () => m.refunds_open() },
  claimed: { tone: 'warning', icon: 'user', word: () => m.refunds_claimed() },
  paying: { tone: 'iris', icon: 'cube', word: () => m.refunds_paying() },
  paid: { tone: 'success', icon: 'check-circle', word: () => m.refunds_paid() },
  expired: { tone: 'neutral', icon: 'clock', word: () => m.refunds_expired() },
  cancelled: { tone: 'neutral', icon: 'prohibit', word: () => m.refunds_cancelled() },
};

export const CLAIM_LOOKS: Readonly<Record<ClaimStatus, Look>> = {
  confirming: { tone: 'warning', icon: 'user', word: () => m.claims_confirming() },
  approving: { tone: 'warning', icon: 'shield-warning', word: () => m.claims_approving() },
  paying: { tone: 'iris', icon: 'cube', word: () => m.claims_paying() },
  done: { tone: 'success', icon: 'check-circle', word: () => m.claims_done() },
  refused: { tone: 'neutral', icon: 'prohibit', word: () => m.claims_refused() },
  failed: { tone: 'error', icon: 'x-circle', word: () => m.claims_failed() },
  returned: { tone: 'error', icon: 'arrow-u-up-left', word: () => m.claims_returned() },
};

export const REFUND_EVENTS: Readonly<Record<RefundEvent['event'], { readonly icon: IconName; readonly word: () => string }>> = {
  created: { icon: 'receipt', word: () => m.refunds_event_created() },
  claimed: { icon: 'user', word: () => m.refunds_event_claimed() },
  paid: { icon: 'check-circle', word: () => m.refunds_event_paid() },
  returned: { icon: 'arrow-u-up-left', word: () => m.refunds_event_returned() },
  failed: { icon: 'x', word: () => m.refunds_event_failed() },
  expired: { icon: 'clock', word: () => m.refunds_event_expired() },
  cancelled: { icon: 'prohibit', word: () => m.refunds_event_cancelled() },
};
