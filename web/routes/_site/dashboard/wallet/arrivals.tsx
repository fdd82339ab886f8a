import { type ReactNode, useId } from 'react';
import { Money, useMoneyText } from '../../../../features/money.tsx';
import { useSite } from '../../../../features/site.ts';
import { m } from '../../../../features/words.ts';
import { Code } from '../../../../ui/parts/copyable.tsx';
import { cx } from '../../../../ui/base/cx.ts';
import { Icon } from '../../../../ui/base/icon.tsx';
import type { IconName } from '../../../../ui/base/icons.ts';
import { writeTime } from '../../../../ui/base/time.ts';
import css from './arrivals.module.css';
import type { Deposit } from './page.server.ts';

interface DepositLook {
  readonly icon: IconName;
  readonly words: (one: Deposit, at: (time: string) => string) => string;
}

/** Texts for a deposit that people check, by the state of the requested documents. */
const CHECKING = { none: m.wallet_checking, asked: m.wallet_papers_asked, came: m.wallet_papers_came } as const;

const SHOWN: Readonly<Record<Deposit['status'], DepositLook>> = {
  seen: { icon: 'cube', words: (one) => m.wallet_confirming({ count: one.confirmations, needed: one.needed }) },
  checking: { icon: 'shield-warning', words: ({ papers }) => CHECKING[papers ?? 'none']() },
  maturing: { icon: 'hourglass-medium', words: (one, at) => m.wallet_maturing({ time: at(one.free_at ?? one.seen_at) }) },
  returning: { icon: 'arrow-u-up-left', words: () => m.wallet_returning() },
  final: { icon: 'check-circle-fill', words: () => m.wallet_arrived() },
  dropped: { icon: 'x-circle', words: () => m.wallet_dropped() },
  reversed: { icon: 'x-circle', words: () => m.wallet_reversed() },
  returned: { icon: 'arrow-u-up-left', words: () => m.wallet_returned() },
};

/** Section that lists deposits into wallets, with the progress of each. */
export function Arrivals({ title, deposits }: { title: string; deposits: readonly Deposit[] }): ReactNode {
  const { locale } = useSite();
  const titleId = useId();
  const money = useMoneyText();
  const at = (time: string): string => writeTime(time, locale);
  return (
    <section className={cx('card', css['arrivals'])} aria-labelledby={titleId} aria-live="polite">
      <h2 className="card-title" id={titleId}>
        {title}
      </h2>
      <ul>
        {deposits.map((one) => (
          <li key={one.id} className={css[one.status]}>
            <Icon name={SHOWN[one.status].icon} />
            <b>
              <Money of={{ amount: one.amount, currency: one.unit }} sign="+" look="quiet" />
            </b>
            <Code isShort>{one.txid}</Code>
            <span className={cx('small soft num', css['state'])}>
              {SHOWN[one.status].words(one, at)}
              {/[1-9]/.test(one.fee) && ` · ${m.wallet_kept({ fee: money({ amount: one.fee, currency: one.unit }) })}`}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
