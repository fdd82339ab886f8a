// A withdrawal as people and programs are told where it stands: its own state, and while it is paid the state of its payout.

import type { PayoutStatus } from '../../payments/index.ts';
import type { Withdrawal, WithdrawalStatus } from './withdrawal.ts';

/** What people and programs read. */
export type ShownStatus = Exclude<WithdrawalStatus, 'paying'> | 'queued' | 'sending' | 'in_doubt' | 'sent';

/** While it is paid. What its payout has come to is acted upon in a moment: until then it stands as it stood. */
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

/** Where a withdrawal stands, as it is shown. */
export const shownStatus = ({ status, payout }: Pick<Withdrawal, 'status' | 'payout'>): ShownStatus =>
  status === 'paying' ? WHILE_PAYING[payout ?? 'queued'] : status;

/** The states of payouts that are shown as one of these, for a list that is narrowed by what is shown. */
export const payoutsShownAs = (shown: readonly ShownStatus[]): PayoutStatus[] =>
  (Object.keys(WHILE_PAYING) as PayoutStatus[]).filter((status) => shown.includes(WHILE_PAYING[status]));
