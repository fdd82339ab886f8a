import { type Money as Held, type Unit, add, compare, format, zero } from '@kurs/money';
import type { ReactNode } from 'react';
import { coinOf, labelsOf } from '../../../../features/currency.ts';
import { Money, type Sum, useMoneyText } from '../../../../features/money.tsx';
import { useCurrency } from '../../../../features/use-currency.ts';
import { filled } from '../../../../server/document/page-words.ts';
import type { SiteLocale } from '../../../../site.ts';
import { Button, ButtonLink } from '../../../../ui/fields/button.tsx';
import { cx } from '../../../../ui/base/cx.ts';
import { Coin, Icon } from '../../../../ui/base/icon.tsx';
import type { IconName } from '../../../../ui/base/icons.ts';
import css from '../solutions.module.css';
import type { WALLET_WORDS } from '../solution-words.ts';
import {
  type Action,
  type Movement,
  type SampleAccount,
  type SampleQuote,
  type SampleWallet,
  ACTIONS,
  MAX_STEPS,
  hindranceOf,
  movementOf,
} from './wallet-sample.ts';

type Words = (typeof WALLET_WORDS)['en']['demo'];

/** Sample account, with functions that show its amounts and make the URLs of its actions. */
export interface Demo {
  readonly account: SampleAccount;
  readonly quote: SampleQuote | undefined;
  /** Returns the code of the currency whose name and icon are shown for the unit. */
  readonly currencyOf: (unit: Unit) => string;
  readonly worthOf: (held: Held<Unit>) => Held<'USD'>;
  /** Returns the URL of the page after some actions. */
  readonly to: (done: readonly Action[]) => string;
}

interface Part {
  readonly demo: Demo;
  readonly words: Words;
  readonly locale: SiteLocale;
}

/** Maximum number of the account's movements that are shown. */
const MAX_SHOWN = 5;
const ICONS: Readonly<Record<Action, IconName>> = {
  deposit: 'download-simple',
  exchange: 'arrows-left-right',
  transfer: 'paper-plane-tilt',
};

const sumOf = ({ currencyOf }: Demo, held: Held<Unit>): Sum => ({ amount: format(held), currency: currencyOf(held.unit) });

/**
 * Sample account that a visitor can try out. Its actions are links to the same page, which the server renders again. The links
 * lead back to this figure, whose title then describes the last action.
 */
export function WalletDemo({ demo, words, locale }: Part): ReactNode {
  const { wallets, movements } = demo.account;
  const total = wallets.reduce((sum, one) => add(sum, demo.worthOf(one.total)), zero('USD'));
  return (
    <figure className={css['demo']} id="demo" tabIndex={-1} aria-labelledby="demo-title">
      <div className={css['balance']}>
        <span className={css['demoTag']}>{words.label}</span>
        <h2 className={css['demoTitle']} id="demo-title">
          <Done demo={demo} words={words} locale={locale} />
        </h2>
        <span className={css['demoLabel']}>{words.total}</span>
        <span className={css['demoTotal']}>
          <Money of={{ amount: format(total), currency: 'USD' }} />
        </span>
      </div>
      <Actions demo={demo} words={words} locale={locale} />
      <ul className={css['wallets']}>
        {wallets.map((wallet) => (
          <Wallet key={wallet.total.unit} wallet={wallet} demo={demo} words={words} />
        ))}
      </ul>
      <div className={css['moves']}>
        <h3 className="tiny mute">{words.moves}</h3>
        {movements.slice(0, MAX_SHOWN).map((movement, at) => (
          <Move key={at} movement={movement} demo={demo} words={words} locale={locale} />
        ))}
      </div>
      <figcaption className="tiny mute">{words.note}</figcaption>
    </figure>
  );
}

/** Description of the last action. Before the first action, it says what the visitor can try. */
function Done({ demo, words, locale }: Part): ReactNode {
  const text = useMoneyText();
  const [last] = demo.account.movements;
  if (last?.step === undefined) return words.title;
  const { gone, come } = last;
  return filled(words.table[last.action], locale, {
    ...(gone && { gone: text(sumOf(demo, gone)) }),
    ...(come && { come: text(sumOf(demo, come)) }),
  });
}

function Actions({ demo, words, locale }: Part): ReactNode {
  const { account, quote, to } = demo;
  const offered = ACTIONS.flatMap((action) => movementOf(account, action, quote) ?? []);
  const isFull = account.done.length >= MAX_STEPS;
  return (
    <div className={css['tries']}>
      <ul aria-label={words.actions.label}>
        {offered.map((movement) => (
          <li key={movement.action}>
            <Try movement={movement} demo={demo} words={words} locale={locale} />
          </li>
        ))}
      </ul>
      {isFull && (
        <p className="tiny" id="demo-full">
          {filled(words.table.full, locale, { max: MAX_STEPS })}
        </p>
      )}
      <p className={cx(css['nothing'], 'tiny', 'mute')}>
        {words.actions.nothing}
        {account.done.length > 0 && (
          <ButtonLink href={to([])} look="secondary" size="tiny" rel="nofollow" data-reload="">
            {words.actions.again}
          </ButtonLink>
        )}
      </p>
    </div>
  );
}

/** Action that the visitor can try: a link to the page after the action, or a disabled button with the reason. */
function Try({ movement, demo, words, locale }: Part & { movement: Movement }): ReactNode {
  const text = useMoneyText();
  const { account, to } = demo;
  const { action, gone, come } = movement;
  const shown = (
    <>
      <span>
        <Icon name={ICONS[action]} size={16} />
        {words.actions[action]}
      </span>
      <span className="tiny">
        {gone ? <Money of={sumOf(demo, gone)} /> : come && <Money of={sumOf(demo, come)} />}
        {gone && come && <Into code={demo.currencyOf(come.unit)} />}
      </span>
    </>
  );
  const hindrance = hindranceOf(account, movement);
  if (!hindrance)
    return (
      <ButtonLink href={to([...account.done, action])} look="secondary" isWide rel="nofollow" data-reload="">
        {shown}
      </ButtonLink>
    );
  const left = account.wallets.find(({ total }) => total.unit === gone?.unit)?.available;
  const why = hindrance === 'full' ? 'demo-full' : `demo-${action}`;
  return (
    <>
      <Button look="secondary" isWide disabled aria-describedby={why}>
        {shown}
      </Button>
      {hindrance === 'short' && left && (
        <p className="tiny" id={why}>
          {filled(words.table.short, locale, { left: text(sumOf(demo, left)) })}
        </p>
      )}
    </>
  );
}

const Into = ({ code }: { code: string }): ReactNode => ` → ${labelsOf(useCurrency(code)).title}`;

function Wallet({ wallet, demo, words }: { wallet: SampleWallet; demo: Demo; words: Words }): ReactNode {
  const total = sumOf(demo, wallet.total);
  const { title } = labelsOf(useCurrency(total.currency));
  return (
    <li>
      <span className={css['walletName']}>
        <Coin {...coinOf(total.currency)} size={28} />
        {title}
      </span>
      <b>
        <Money of={total} hasCode={false} />
      </b>
      <span className="tiny mute num">
        ≈ <Money of={{ amount: format(demo.worthOf(wallet.total)), currency: 'USD' }} />
      </span>
      <span className={cx(css['part'], 'tiny')}>
        {compare(wallet.total, wallet.available) === 0 ? (
          <>
            {words.free}
            <Icon name="check" size={14} />
          </>
        ) : (
          <>
            {words.available}
            <Money of={sumOf(demo, wallet.available)} hasCode={false} />
          </>
        )}
      </span>
    </li>
  );
}

/** Movement in the sample account, with its amounts. If it is a visitor's action, also its number and its fee. */
function Move({ movement, demo, words, locale }: Part & { movement: Movement }): ReactNode {
  const text = useMoneyText();
  const { action, gone, come, fee, step } = movement;
  return (
    <div className={css['move']}>
      <Icon name={ICONS[action]} size={16} />
      <span>
        {words[action]}
        {step !== undefined && (
          <span className="tiny mute">
            {fee
              ? filled(words.table.step_fee, locale, { step, fee: text(sumOf(demo, fee)) })
              : filled(words.table.step, locale, { step })}
          </span>
        )}
      </span>
      <span>
        {gone && <Money of={sumOf(demo, gone)} sign="−" look="quiet" />}
        {come && (
          <span className={css['gain']}>
            <Money of={sumOf(demo, come)} sign="+" look="quiet" />
          </span>
        )}
      </span>
    </div>
  );
}
