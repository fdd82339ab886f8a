import type { Output, Routes } from '@kurs/contract';
import { m } from '../../../../../../features/words.ts';
import type { IconName } from '../../../../../../ui/base/icons.ts';
import type { PillTone } from '../../../../../../ui/parts/pill.tsx';

/** Invoice with its payments and events. */
export type Invoice = Output<Routes['storeInvoice']>;
/** Invoice in the store's list. */
export type ListedInvoice = Output<Routes['invoices']>[number];
export type InvoiceState = Invoice['state'];
export type Mark = NonNullable<Invoice['mark']>;
export type StorePayment = Invoice['payments'][number];
export type PaymentStatus = StorePayment['status'];
export type InvoiceEvent = Invoice['events'][number];

interface Look {
  readonly tone: PillTone;
  readonly icon: IconName;
  readonly word: () => string;
}

export const STATE_LOOKS: Readonly<Record<InvoiceState, Look>> = {
  open: { tone: 'warning', icon: 'hourglass-medium', word: () => m.invoices_open() },
  confirming: { tone: 'iris', icon: 'cube', word: () => m.invoices_confirming() },
  settled: { tone: 'success', icon: 'check-circle', word: () => m.invoices_settled() },
  short: { tone: 'warning', icon: 'circle-half', word: () => m.invoices_short() },
  expired: { tone: 'neutral', icon: 'clock', word: () => m.invoices_expired() },
  cancelled: { tone: 'neutral', icon: 'prohibit', word: () => m.invoices_cancelled() },
  invalid: { tone: 'error', icon: 'x-circle', word: () => m.invoices_invalid() },
};

export const PAYMENT_LOOKS: Readonly<Record<PaymentStatus, Look>> = {
  seen: { tone: 'iris', icon: 'cube', word: () => m.invoices_pay_seen() },
  held: { tone: 'warning', icon: 'shield-warning', word: () => m.invoices_pay_held() },
  waiting: { tone: 'warning', icon: 'hourglass-medium', word: () => m.invoices_pay_waiting() },
  credited: { tone: 'success', icon: 'check-circle', word: () => m.invoices_pay_credited() },
  unallocated: { tone: 'neutral', icon: 'user', word: () => m.invoices_pay_unallocated() },
  returning: { tone: 'warning', icon: 'hourglass-medium', word: () => m.invoices_pay_returning() },
  given_back: { tone: 'neutral', icon: 'arrow-u-up-left', word: () => m.invoices_pay_given_back() },
  dropped: { tone: 'neutral', icon: 'x-circle', word: () => m.invoices_pay_dropped() },
  reversed: { tone: 'error', icon: 'arrow-u-up-left', word: () => m.invoices_pay_reversed() },
};

/** Names of marks, as states of an invoice. */
export const MARK_WORDS: Readonly<Record<Mark, () => string>> = {
  settled: () => m.invoices_marked_settled(),
  invalid: () => m.invoices_marked_invalid(),
};

/** Sentences about the money of payments that are not simply credited. */
export const PAYMENT_NOTES: Readonly<Partial<Record<PaymentStatus, () => string>>> = {
  held: () => m.invoices_note_held(),
  waiting: () => m.invoices_note_waiting(),
  unallocated: () => m.invoices_note_unallocated(),
  returning: () => m.invoices_note_returning(),
  dropped: () => m.invoices_note_dropped(),
  reversed: () => m.invoices_note_reversed(),
};

export const EVENT_LOOKS: Readonly<Record<InvoiceEvent['event'], { readonly icon: IconName; readonly word: () => string }>> = {
  created: { icon: 'receipt', word: () => m.invoices_event_created() },
  option_chosen: { icon: 'list-checks', word: () => m.invoices_event_option() },
  option_ready: { icon: 'list-checks', word: () => m.invoices_event_ready() },
  option_refused: { icon: 'x', word: () => m.invoices_event_refused() },
  email_left: { icon: 'envelope-simple', word: () => m.invoices_event_email() },
  payment_seen: { icon: 'cube', word: () => m.invoices_event_seen() },
  payment_final: { icon: 'check', word: () => m.invoices_event_final() },
  payment_dropped: { icon: 'x', word: () => m.invoices_event_dropped() },
  payment_reversed: { icon: 'arrow-u-up-left', word: () => m.invoices_event_reversed() },
  processing: { icon: 'hourglass-medium', word: () => m.invoices_event_processing() },
  settled: { icon: 'check-circle', word: () => m.invoices_settled() },
  short: { icon: 'circle-half', word: () => m.invoices_event_short() },
  expired: { icon: 'clock', word: () => m.invoices_event_expired() },
  late: { icon: 'timer', word: () => m.invoices_event_late() },
  over: { icon: 'plus', word: () => m.invoices_event_over() },
  held: { icon: 'shield-warning', word: () => m.invoices_event_held() },
  given_back: { icon: 'arrow-u-up-left', word: () => m.invoices_event_given_back() },
  hold_over: { icon: 'hourglass-medium', word: () => m.invoices_event_hold_over() },
  refused: { icon: 'x', word: () => m.invoices_event_not_accepted() },
  cancelled: { icon: 'prohibit', word: () => m.invoices_cancelled() },
  invalid: { icon: 'x-circle', word: () => m.invoices_invalid() },
  marked: { icon: 'clipboard-text', word: () => m.invoices_event_marked() },
};
