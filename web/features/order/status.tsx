import type { ReactNode } from 'react';
import type { IconName } from '../../ui/base/icons.ts';
import { useLocale } from '../../ui/base/locale.ts';
import { Pill, type PillTone } from '../../ui/parts/pill.tsx';
import { type OrderStatus, statusWord } from '../contract-words.ts';
import { m } from '../words.ts';

/** How an order stands as people see it. `short`: less than asked has come, and it goes on by itself. */
export type Standing = OrderStatus | 'short';

/** The same of an order: while what has come is exchanged by itself, no choice is needed. */
export const standingOf = ({
  status,
  short_at: shortAt,
}: {
  readonly status: OrderStatus;
  readonly short_at?: string | undefined;
}): Standing => (status === 'choose' && shortAt !== undefined ? 'short' : status);

export const STATUS_LOOKS: Readonly<Record<Standing, readonly [tone: PillTone, icon: IconName]>> = {
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

/** The word for it. */
export const standingWord = (standing: Standing, locale: 'en' | 'ru'): string =>
  standing === 'short' ? m.status_short() : statusWord(standing, locale);

/** Where an order stands: the only way a state comes onto a page. */
export function Status({ status }: { status: Standing }): ReactNode {
  const [tone, icon] = STATUS_LOOKS[status];
  const locale = useLocale();
  return (
    <Pill tone={tone} icon={icon}>
      {standingWord(status, locale)}
    </Pill>
  );
}
