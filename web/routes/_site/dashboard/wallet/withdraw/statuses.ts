import { m } from '../../../../../features/words.ts';
import type { IconName } from '../../../../../ui/base/icons.ts';
import type { PillTone } from '../../../../../ui/parts/pill.tsx';
import type { SlipSum, Withdrawal } from './sums.ts';

export type { Withdrawal };

type Status = Withdrawal['status'];

/** Groups by which customers filter withdrawals, with the statuses in each group. */
export const GROUPS = {
  open: ['approving', 'queued', 'sending', 'in_doubt', 'sent'],
  done: ['done'],
  back: ['failed', 'returned', 'cancelled', 'rejected'],
} as const satisfies Record<string, readonly Status[]>;

export type WithdrawalGroup = keyof typeof GROUPS;

/** Returns the name of a group of withdrawals. */
export const groupName = (group: WithdrawalGroup | 'all'): string =>
  ({ all: m.moves_all, open: m.withdraw_group_open, done: m.withdraw_group_done, back: m.withdraw_group_back })[group]();

/** True if the withdrawal has not ended yet. */
export const isOpen = ({ status }: Pick<Withdrawal, 'status'>): boolean => (GROUPS.open as readonly Status[]).includes(status);

interface Sums {
  readonly amount: string;
  readonly arrives: string;
  readonly fee: string;
}

interface StatusLook {
  readonly tone: PillTone;
  readonly icon: IconName;
  readonly word: () => string;
  /** Returns a sentence that says where the money is and what the customer can do. */
  readonly text: (of: Sums & { readonly source: Withdrawal['source'] }) => string;
}

/** Texts for the reasons why a withdrawal was not sent. Each also says where the money is and what the customer can do. */
export const WHY: Readonly<Record<NonNullable<Withdrawal['why']>, () => string>> = {
  withdrawals_frozen: () => m.withdraw_why_frozen(),
  debt_open: () => m.withdraw_why_debt(),
  debt_stops: () => m.withdraw_why_debt(),
  blocked: () => m.withdraw_why_blocked(),
  not_on_allow_list: () => m.withdraw_why_list(),
  above_bounds: () => m.withdraw_why_bounds(),
  affiliate_suspended: () => m.withdraw_why_suspended(),
  rewards_owed: () => m.withdraw_why_owed(),
  rewards_taken_back: () => m.withdraw_why_taken_back(),
};

/** Texts for withdrawals that did not succeed, by the place to which the money went back: the wallet or the rewards. */
const BACK = {
  wallet: {
    failed: m.withdraw_text_failed,
    returned: m.withdraw_text_returned,
    cancelled: m.withdraw_text_cancelled,
    rejected: m.withdraw_text_rejected,
  },
  affiliate: {
    failed: m.withdraw_text_failed_rewards,
    returned: m.withdraw_text_returned_rewards,
    cancelled: m.withdraw_text_cancelled_rewards,
    rejected: m.withdraw_text_rejected_rewards,
  },
} as const;

/** Texts and looks of each status of a withdrawal: a word and a sentence. */
export const STATUSES: Readonly<Record<Status, StatusLook>> = {
  approving: {
    tone: 'warning',
    icon: 'hourglass-medium',
    word: () => m.withdraw_is_approving(),
    text: () => m.withdraw_text_approving(),
  },
  queued: { tone: 'brand', icon: 'clock', word: () => m.withdraw_is_queued(), text: () => m.withdraw_text_queued() },
  sending: {
    tone: 'brand',
    icon: 'paper-plane-tilt',
    word: () => m.withdraw_is_sending(),
    text: () => m.withdraw_text_sending(),
  },
  in_doubt: {
    tone: 'warning',
    icon: 'shield-warning',
    word: () => m.withdraw_is_in_doubt(),
    text: () => m.withdraw_text_in_doubt(),
  },
  sent: { tone: 'iris', icon: 'cube', word: () => m.withdraw_is_sent(), text: () => m.withdraw_text_sent() },
  done: { tone: 'success', icon: 'check-circle-fill', word: () => m.withdraw_is_done(), text: () => m.withdraw_text_done() },
  failed: {
    tone: 'neutral',
    icon: 'x-circle',
    word: () => m.withdraw_is_failed(),
    text: ({ source, amount }) => BACK[source].failed({ amount }),
  },
  returned: {
    tone: 'neutral',
    icon: 'arrow-u-up-left',
    word: () => m.withdraw_is_returned(),
    text: ({ source, arrives, fee }) => BACK[source].returned({ amount: arrives, fee }),
  },
  cancelled: {
    tone: 'neutral',
    icon: 'prohibit',
    word: () => m.withdraw_is_cancelled(),
    text: ({ source, amount }) => BACK[source].cancelled({ amount }),
  },
  rejected: {
    tone: 'neutral',
    icon: 'x-circle',
    word: () => m.withdraw_is_rejected(),
    text: ({ source, amount }) => BACK[source].rejected({ amount }),
  },
};

/** Returns the label of a line on the slip, which depends on the source of the money: the wallet or the rewards. */
export const lineName = (line: SlipSum['line'], source: Withdrawal['source']): string => {
  const ofRewards = source === 'affiliate';
  return {
    leaves: ofRewards ? m.withdraw_leaves_rewards : m.withdraw_leaves,
    left: ofRewards ? m.withdraw_left_rewards : m.withdraw_left,
    back: ofRewards ? m.withdraw_back_rewards : m.withdraw_back_wallet,
    ...{ fee: m.withdraw_fee, arrives: m.withdraw_arrives, arrived: m.withdraw_arrived, asked: m.withdraw_was_for },
  }[line]();
};
