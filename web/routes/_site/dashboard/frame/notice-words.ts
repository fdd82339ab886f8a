import { m } from '../../../../features/words.ts';
import type { AccountNotices } from '../account-news.ts';

type Kind = AccountNotices['notices'][number]['kind'];

const WORDS: Readonly<Record<Kind, () => string>> = {
  order_choose: () => m.notice_order_choose(),
  order_checking: () => m.notice_order_checking(),
  order_done: () => m.notice_order_done(),
  order_refunded: () => m.notice_order_refunded(),
  order_rejected: () => m.notice_order_rejected(),
  order_expired: () => m.notice_order_expired(),
  deposit_final: () => m.notice_deposit_final(),
  deposit_maturing: () => m.notice_deposit_maturing(),
  deposit_checking: () => m.notice_deposit_checking(),
  deposit_returned: () => m.notice_deposit_returned(),
  deposit_reversed: () => m.notice_deposit_reversed(),
  withdrawal_sent: () => m.notice_withdrawal_sent(),
  withdrawal_done: () => m.notice_withdrawal_done(),
  withdrawal_failed: () => m.notice_withdrawal_failed(),
  withdrawal_returned: () => m.notice_withdrawal_returned(),
  withdrawal_rejected: () => m.notice_withdrawal_rejected(),
  transfer_received: () => m.notice_transfer_received(),
  new_device: () => m.notice_new_device(),
  password_set: () => m.notice_password_set(),
  password_changed: () => m.notice_password_changed(),
  password_was_reset: () => m.notice_password_was_reset(),
  google_linked: () => m.notice_google_linked(),
  google_unlinked: () => m.notice_google_unlinked(),
  two_factor_on: () => m.notice_two_factor_on(),
  two_factor_off: () => m.notice_two_factor_off(),
  recovery_used: () => m.notice_recovery_used(),
  recovery_renewed: () => m.notice_recovery_renewed(),
  api_key_made: () => m.notice_api_key_made(),
  email_changed: () => m.notice_email_changed(),
  email_asked_for: () => m.notice_email_asked_for(),
  closing_begun: () => m.notice_closing_begun(),
  closing_called_off: () => m.notice_closing_called_off(),
  closing_stopped: () => m.notice_closing_stopped(),
};

/** Returns the text for one of the account's events. */
export const wordsOf = ({ kind }: { readonly kind: Kind }): string => WORDS[kind]();
