import type { ReactNode } from 'react';
import type { IconName } from '../../ui/base/icons.ts';
import { useLocale } from '../../ui/base/locale.ts';
import { Pill, type PillTone } from '../../ui/parts/pill.tsx';
import { type OrderStatus, statusWord } from '../contract-words.ts';

export const STATUS_LOOKS: Readonly<Record<OrderStatus, readonly [tone: PillTone, icon: IconName]>> = {
  waiting: ['warning', 'hourglass-medium'],
  seen: ['iris', 'cube'],
  confirming: ['iris', 'cube'],
  checking: ['warning', 'shield-warning'],
  choose: ['warning', 'shield-warning'],
  paying: ['brand', 'paper-plane-tilt'],
  done: ['success', 'check-circle'],
  expired: ['neutral', 'clock'],
  cancelled: ['neutral', 'prohibit'],
  refunding: ['iris', 'arrow-u-up-left'],
  refunded: ['neutral', 'arrow-u-up-left'],
  rejected: ['error', 'x-circle'],
};

/** Where an order stands: the only way a state comes onto a page. */
export function Status({ status }: { status: OrderStatus }): ReactNode {
  const [tone, icon] = STATUS_LOOKS[status];
  return (
    <Pill tone={tone} icon={icon}>
      {statusWord(status, useLocale())}
    </Pill>
  );
}
