import type { ReactNode } from 'react';
import { Money } from '../../../../features/money.tsx';
import { m } from '../../../../features/words.ts';
import { Code } from '../../../../ui/copyable.tsx';
import { cx } from '../../../../ui/cx.ts';
import { Icon } from '../../../../ui/icon.tsx';
import type { IconName } from '../../../../ui/icons.ts';
import css from './arrivals.module.css';
import type { Deposit } from './wallet-data.ts';

const SHOWN: Readonly<Record<Deposit['status'], { readonly icon: IconName; readonly words: (one: Deposit) => string }>> = {
  seen: { icon: 'cube', words: (one) => m.wallet_confirming({ count: one.confirmations, needed: one.needed }) },
  checking: { icon: 'shield-warning', words: () => m.wallet_checking() },
  final: { icon: 'check-circle-fill', words: () => m.wallet_arrived() },
  dropped: { icon: 'x-circle', words: () => m.wallet_dropped() },
  reversed: { icon: 'x-circle', words: () => m.wallet_reversed() },
};

/** Payments into wallets: how far each is, and what it waits for. */
export function Arrivals({ title, deposits }: { title: string; deposits: readonly Deposit[] }): ReactNode {
  return (
    <section className={cx('card', css['arrivals'])} aria-labelledby="arrivals-title" aria-live="polite">
      <h2 className="card-title" id="arrivals-title">
        {title}
      </h2>
      <ul>
        {deposits.map((one) => (
          <li key={one.id} className={css[one.status]}>
            <Icon name={SHOWN[one.status].icon} />
            <b>
              <Money of={{ amount: one.amount, currency: one.unit }} sign="+" look="quiet" />
            </b>
            <Code short>{one.txid}</Code>
            <span className={cx('small soft num', css['state'])}>{SHOWN[one.status].words(one)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
