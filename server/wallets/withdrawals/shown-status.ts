// Status of a withdrawal as people and programs see it: its own status, or while it is being paid the status of its payout.

import type { PayoutStatus } from '../../payments/index.ts';
import type { Withdrawal, WithdrawalStatus } from './withdrawal.ts';

/** Status that people and programs see. */
export type ShownStatus = Exclude<WithdrawalStatus, 'paying'> | 'queued' | 'sending' | 'in_doubt' | 'sent';

/** Shown status by the payout's. A payout that has just ended is handled in a moment; until then the shown status stays. */
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

/** Returns the payout statuses that are shown as one of these, to filter a list by shown status. */
export const payoutsShownAs = (shown: readonly ShownStatus[]): PayoutStatus[] =>
  (Object.keys(WHILE_PAYING) as PayoutStatus[]).filter((status) => shown.includes(WHILE_PAYING[status]));
