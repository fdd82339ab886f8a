// Status of a withdrawal as people and programs see it: the withdrawal's own status, or its payout's status while it is being
// paid.

import type { PayoutStatus } from '../../payments/index.ts';
import type { Withdrawal, WithdrawalStatus } from './withdrawal.ts';

/** Status that people and programs see. */
export type ShownStatus = Exclude<WithdrawalStatus, 'paying'> | 'queued' | 'sending' | 'in_doubt' | 'sent';

/**
 * Shown status of a withdrawal that is being paid, by its payout's status. When a payout ends, the withdrawal handles that a
 * moment later; until then the shown status doesn't change.
 */
const WHILE_PAYING: Readonly<Record<PayoutStatus, ShownStatus>> = {
  queued: 'queued',
  preparing: 'queued',
  stopped: 'queued',
  sending: 'sending',
  failed: 'sending',
  in_doubt: 'in_doubt',
  sent: 'sent',
  final: 'sent',
};

/** Returns the shown status of a withdrawal. */
export const shownStatus = ({ status, payout }: Pick<Withdrawal, 'status' | 'payout'>): ShownStatus =>
  status === 'paying' ? WHILE_PAYING[payout ?? 'queued'] : status;

/** Returns the payout statuses that are shown as one of the given statuses, to filter a list. */
export const payoutsShownAs = (shown: readonly ShownStatus[]): PayoutStatus[] =>
  (Object.keys(WHILE_PAYING) as PayoutStatus[]).filter((status) => shown.includes(WHILE_PAYING[status]));
