import type { Output, Routes } from '@kurs/contract';
import { type Money as Sum, add, convert, format, parse, parseRate, zero } from '@kurs/money';
import type { ReactNode } from 'react';
import { coinOf, labelsOf } from '../../../features/currency.ts';
import { Money } from '../../../features/money.tsx';
import { useCurrency } from '../../../features/use-currency.ts';
import { cx } from '../../../ui/cx.ts';
import { Coin, Icon } from '../../../ui/icon.tsx';
import type { IconName } from '../../../ui/icons.ts';
import css from './solutions.module.css';
import type { Rules, WALLET_WORDS } from './solution-words.ts';

type Words = (typeof WALLET_WORDS)['en']['demo'];
type Direction = Output<Routes['directions']>['directions'][number];

/** A wallet of the sample account: its sum, what of it can be used, and what the sum is worth now. */
export interface SampleWallet {
  /** A currency of the unit, for its name and mark. */
  readonly currency: string;
  readonly total: string;
  readonly available: string;
  readonly worth: Sum<'USD'>;
}

/** The sample account, by unit: `[total, available]`. */
const SAMPLE: Readonly<Record<string, readonly [total: string, available: string]>> = {
  USDT: ['2480.55', '2180.55'],
  BTC: ['0.01842', '0.01842'],
  ETH: ['0.385', '0.385'],
  PAYPAL_USD: ['312.40', '312.40'],
};

/** The sample account in those units that this desk has, worth what they are worth now. Units without a rate are left out. */
export function demoOf(ways: readonly Rules['ways'][number][], directions: readonly Direction[]): SampleWallet[] {
  return Object.entries(SAMPLE).flatMap(([unit, [total, available]]) => {
    const way = ways.find((one) => one.unit === unit);
    const worth = way && worthOf(unit, total, directions);
    return way && worth ? [{ currency: way.currency, total, available, worth }] : [];
  });
}

/** What a sum is worth by the market's rate of some direction, in dollars or in what stands for one. */
function worthOf(unit: string, amount: string, directions: readonly Direction[]): Sum<'USD'> | undefined {
  if (unit === 'USDT' || unit.endsWith('_USD')) return parse('USD', amount);
  const rate = directions.flatMap((one) => one.rate ?? []).find(({ base, quote }) => base === unit && /^USDT?$/.test(quote));
  if (!rate) return undefined;
  return convert(
    parse(unit as 'BTC', amount),
    rate.base,
    parseRate(rate.base, rate.quote, rate.value),
    'USD',
    'down',
  ) as Sum<'USD'>;
}

/** What an account with wallets looks like. The figures are a sample, and say so. */
export function WalletDemo({ wallets, words }: { wallets: readonly SampleWallet[]; words: Words }): ReactNode {
  const total = wallets.reduce((sum, { worth }) => add(sum, worth), zero('USD'));
  const [first, second] = wallets;
  return (
    <figure className={css['demo']} aria-label={words.label}>
      <div className={css['balance']}>
        <span className={css['demoTag']}>{words.label}</span>
        <span className={css['demoLabel']}>{words.total}</span>
        <span className={css['demoTotal']}>
          <Money of={{ amount: format(total), currency: 'USD' }} />
        </span>
      </div>
      <ul className={css['wallets']}>
        {wallets.map((wallet) => (
          <Wallet key={wallet.currency} wallet={wallet} words={words} />
        ))}
      </ul>
      <div className={css['moves']}>
        <h2 className="tiny mute">{words.moves}</h2>
        {first && (
          <Move icon="download-simple" name={words.deposit} sum={{ amount: '300.00', currency: first.currency }} sign="+" />
        )}
        {second && (
          <Move icon="arrows-left-right" name={words.exchange} sum={{ amount: '0.0042', currency: second.currency }} sign="+" />
        )}
        {first && (
          <Move icon="paper-plane-tilt" name={words.transfer} sum={{ amount: '45.00', currency: first.currency }} sign="−" />
        )}
      </div>
      <figcaption className="tiny mute">{words.note}</figcaption>
    </figure>
  );
}

function Wallet({ wallet: { currency, total, available, worth }, words }: { wallet: SampleWallet; words: Words }): ReactNode {
  const { title } = labelsOf(useCurrency(currency));
  return (
    <li>
      <span className={css['walletName']}>
        <Coin {...coinOf(currency)} size={28} />
        {title}
      </span>
      <b>
        <Money of={{ amount: total, currency }} code={false} />
      </b>
      <span className="tiny mute num">
        ≈ <Money of={{ amount: format(worth), currency: 'USD' }} />
      </span>
      <span className={cx(css['part'], 'tiny')}>
        {total === available ? (
          <>
            {words.free}
            <Icon name="check" size={14} />
          </>
        ) : (
          <>
            {words.available}
            <Money of={{ amount: available, currency }} code={false} />
          </>
        )}
      </span>
    </li>
  );
}

function Move({
  icon,
  name,
  sum,
  sign,
}: {
  icon: IconName;
  name: string;
  sum: { readonly amount: string; readonly currency: string };
  sign: '+' | '−';
}): ReactNode {
  return (
    <p className={css['move']}>
      <Icon name={icon} size={16} />
      <span>{name}</span>
      <span className={sign === '+' ? css['gain'] : undefined}>
        <Money of={sum} sign={sign} look="quiet" />
      </span>
    </p>
  );
}
