import type { ReactNode } from 'react';
import type { IconName } from '../../ui/base/icons.ts';
import { useLocale } from '../../ui/base/locale.ts';
import { Pill, type PillTone } from '../../ui/parts/pill.tsx';
import { type OrderStatus, statusWord } from '../contract-words.ts';
import { m } from '../words.ts';

/**
 * Status of an order as people see it. `short`: less than the requested amount has arrived, and will be exchanged automatically.
 */
export type DisplayStatus = OrderStatus | 'short';

/**
 * Returns the status of an order as people see it: `short` replaces `choose` if an underpaid order will be exchanged
 * automatically, because the customer then has nothing to choose.
 */
export const statusOf = ({
  status,
  short_at: shortAt,
}: {
  readonly status: OrderStatus;
  readonly short_at?: string | undefined;
}): DisplayStatus => (status === 'choose' && shortAt !== undefined ? 'short' : status);

export const STATUS_LOOKS: Readonly<Record<DisplayStatus, readonly [tone: PillTone, icon: IconName]>> = {
  waiting: ['warning', 'hourglass-medium'],
  seen: ['iris', 'cube'],
  confirming: ['iris', 'cube'],
  checking: ['warning', 'shield-warning'],
  choose: ['warning', 'shield-warning'],
  short: ['iris', 'hourglass-medium'],
  paying: ['brand', 'paper-plane-tilt'],
  done: ['success', 'check-circle'],
  expired: ['neutral', 'clock'],
  cancelled: ['neutral', 'prohibit'],
  refunding: ['iris', 'arrow-u-up-left'],
  refunded: ['neutral', 'arrow-u-up-left'],
  rejected: ['error', 'x-circle'],
};

/** Returns the word for a status. */
export const standingWord = (status: DisplayStatus, locale: 'en' | 'ru'): string =>
  status === 'short' ? m.status_short() : statusWord(status, locale);

/** Shows an order's status. All pages show it by this component. */
export function Status({ status }: { status: DisplayStatus }): ReactNode {
  const [tone, icon] = STATUS_LOOKS[status];
  const locale = useLocale();
  return (
    <Pill tone={tone} icon={icon}>
      {standingWord(status, locale)}
    </Pill>
  );
}
