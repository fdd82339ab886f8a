import type { Output, Routes } from '@kurs/contract';
import { m } from '../../../../features/words.ts';
import type { IconName } from '../../../../ui/base/icons.ts';
import type { PillTone } from '../../../../ui/parts/pill.tsx';

/** Operation in a wallet: an entry of the books, or a payment that is not final yet. */
export type Operation = Output<Routes['userTransactions']>[number];

export const KINDS = [
  'exchange',
  'deposit',
  'withdrawal',
  'transfer',
  'reward',
  'other',
] as const satisfies readonly Operation['kind'][];

const GROUPS: Readonly<Record<Operation['kind'] | 'all', () => string>> = {
  all: () => m.moves_all(),
  exchange: () => m.moves_exchanges(),
  deposit: () => m.moves_deposits(),
  withdrawal: () => m.moves_withdrawals(),
  transfer: () => m.moves_transfers(),
  reward: () => m.moves_rewards(),
  other: () => m.moves_others(),
};

/** Returns the name for all operations of a kind. */
export const kindName = (kind: Operation['kind'] | 'all'): string => GROUPS[kind]();

/**
 * Names of operations by which an order pays into a wallet, by the cause of the entry. An entry with any other cause gives the
 * order's money back.
 */
const EXCHANGE_IN: Readonly<Record<string, () => string>> = {
  sent: () => m.moves_exchange_in(),
  exchange: () => m.moves_exchange_in(),
  refund: () => m.moves_exchange_refund(),
};

/** Names of operations of stores, by the cause of the entry. */
const OTHERS: Readonly<Record<string, () => string>> = {
  merchant_settled: () => m.moves_from_store(),
  merchant_funded: () => m.moves_to_store(),
  invoice_settled: () => m.moves_invoice_paid(),
  invoice_converted: () => m.moves_invoice_paid(),
};

/** Names of operations by kind. A name also depends on the direction of the money and on the cause of the entry. */
export const NAMES: Readonly<Record<Operation['kind'], (isOut: boolean, entry: string) => string>> = {
  deposit: (out, entry) => (!out ? m.moves_deposit() : entry === 'deposit' ? m.moves_deposit_fee() : m.moves_deposit_back()),
  exchange: (out, entry) => (out ? m.moves_exchange_out() : (EXCHANGE_IN[entry] ?? (() => m.moves_exchange_back()))()),
  withdrawal: (out) => (out ? m.moves_withdrawal() : m.moves_withdrawal_back()),
  transfer: (out) => (out ? m.moves_transfer_out() : m.moves_transfer_in()),
  reward: (out) => (out ? m.moves_reward_back() : m.moves_reward()),
  other: (_out, entry) => (OTHERS[entry] ?? (() => m.moves_other()))(),
};

export const isOut = ({ amount }: Pick<Operation, 'amount'>): boolean => amount.startsWith('-');
export const nameOf = (one: Operation): string => NAMES[one.kind](isOut(one), one.entry);

export const KIND_ICONS: Readonly<Record<Operation['kind'], IconName>> = {
  deposit: 'download-simple',
  exchange: 'arrows-left-right',
  withdrawal: 'upload-simple',
  transfer: 'paper-plane-tilt',
  reward: 'users-three',
  other: 'receipt',
};

/** Colour, icon and name of each status of an operation. */
export const STATUSES: Readonly<
  Record<Operation['status'], { readonly tone: PillTone; readonly icon: IconName; readonly word: () => string }>
> = {
  confirming: { tone: 'iris', icon: 'cube', word: () => m.moves_status_confirming() },
  checking: { tone: 'warning', icon: 'shield-warning', word: () => m.moves_status_checking() },
  maturing: { tone: 'warning', icon: 'hourglass-medium', word: () => m.moves_status_maturing() },
  returned: { tone: 'neutral', icon: 'arrow-u-up-left', word: () => m.moves_status_returned() },
  waiting: { tone: 'warning', icon: 'hourglass-medium', word: () => m.moves_status_waiting() },
  paying: { tone: 'brand', icon: 'paper-plane-tilt', word: () => m.moves_status_paying() },
  done: { tone: 'success', icon: 'check-circle-fill', word: () => m.moves_status_done() },
  cancelled: { tone: 'neutral', icon: 'prohibit', word: () => m.moves_status_cancelled() },
  failed: { tone: 'neutral', icon: 'x-circle', word: () => m.moves_status_failed() },
};

/** Returns the name of a step in an operation's history. An unknown step is named as an entry in the books. */
export const stepName = (what: string): string => (STEPS[what] ?? (() => m.moves_step_booked()))();

const STEPS: Readonly<Record<string, () => string>> = {
  seen: () => m.moves_step_seen(),
  final: () => m.moves_step_final(),
  checking: () => m.moves_step_checking(),
  maturing: () => m.moves_step_maturing(),
  cleared: () => m.moves_step_cleared(),
  dropped: () => m.moves_step_dropped(),
  reversed: () => m.moves_step_reversed(),
  returned: () => m.moves_step_returned(),
  withdrawal_asked: () => m.moves_step_asked(),
  asked: () => m.moves_step_asked(),
  queued: () => m.moves_step_queued(),
  sent: () => m.moves_step_sent(),
  cancelled: () => m.moves_step_cancelled(),
  sending: () => m.withdraw_is_sending(),
  in_doubt: () => m.withdraw_is_in_doubt(),
  done: () => m.withdraw_is_done(),
  failed: () => m.withdraw_is_failed(),
  rejected: () => m.withdraw_is_rejected(),
};
