import type { ReactNode } from 'react';
import { coinOf } from '../../../../features/currency.ts';
import { Money, useMoneyText } from '../../../../features/money.tsx';
import type { SiteLocale } from '../../../../site.ts';
import { Coin, Icon } from '../../../../ui/base/icon.tsx';
import { ButtonLink } from '../../../../ui/fields/button.tsx';
import { SlipLine, SlipLines } from '../../../../ui/parts/slip.tsx';
import { pageUrl } from '../../../pages.ts';
import type { GATE_WORDS } from '../solution-words.ts';
import css from '../solutions.module.css';

type Words = (typeof GATE_WORDS)['en']['demo'];

/** Sum of the example's invoice. */
const DUE = { amount: '84.50', currency: 'USDT' };
/** Methods of the example, with made-up amounts. */
const METHODS = [
  { code: 'USDT_TRC20', name: 'USDT TRC-20', amount: '84.64', cost: '0.22' },
  { code: 'BTC', name: 'Bitcoin', amount: '0.00092571', cost: '0.55' },
  { code: 'ETH', name: 'Ether', amount: '0.0282211', cost: '0.96' },
] as const;
type Method = (typeof METHODS)[number];

/** Step of the demonstration: the chosen method, and if it was “paid”. */
export interface DemoStep {
  readonly method: Method | undefined;
  readonly isPaid: boolean;
}

/** Returns the step of the demonstration that a query names. */
export function demoStep(query: URLSearchParams): DemoStep {
  const method = METHODS.find(({ code }) => code === query.get('demo'));
  return { method, isPaid: method !== undefined && query.has('paid') };
}

/**
 * Demonstration of the page of an invoice, with example data. Each step is a link, so it works without scripts. It shows no
 * address, so that nobody can send money by mistake.
 */
export function GateDemo({
  words,
  step: { method, isPaid },
  locale,
}: {
  words: Words;
  step: DemoStep;
  locale: SiteLocale;
}): ReactNode {
  return (
    <div className={css['checkout']}>
      <div className={css['checkoutShop']}>
        <p className={css['demoTag']}>{words.tag}</p>
        <b>{words.shop}</b>
        <p className={css['checkoutSum']}>
          <Money of={DUE} look="large" />
        </p>
        <p>{words.order}</p>
        <p className={css['checkoutBy']}>
          <Icon name="lock-simple" size={18} />
          <span>{words.by}</span>
        </p>
      </div>
      <div className={css['checkoutMain']}>
        {!method && <Choose words={words} locale={locale} />}
        {method && !isPaid && <Pay {...{ words, method, locale }} />}
        {method && isPaid && <Paid words={words} method={method} locale={locale} />}
      </div>
    </div>
  );
}

const stepUrl = (locale: SiteLocale, query: Readonly<Record<string, string>> = {}): string =>
  `${pageUrl(locale, 'paymentGate', query)}#demo`;

function Choose({ words, locale }: { words: Words; locale: SiteLocale }): ReactNode {
  const text = useMoneyText();
  return (
    <>
      <h3 className="card-title">{words.choose}</h3>
      <ul className={css['checkoutMethods']}>
        {METHODS.map(({ code, name, amount, cost }) => (
          <li key={code}>
            <a href={stepUrl(locale, { demo: code })} rel="nofollow">
              <Coin {...coinOf(code)} size={32} />
              <b>{name}</b>
              <span>
                <b>
                  <Money of={{ amount, currency: code }} look="quiet" />
                </b>
                <small className="num">
                  {words.fee} {text({ amount: cost, currency: DUE.currency })}
                </small>
              </span>
              <Icon name="arrow-right" size={16} />
            </a>
          </li>
        ))}
      </ul>
    </>
  );
}

type OfMethod = { words: Words; method: Method; locale: SiteLocale };

function Pay({ words, method, locale }: OfMethod): ReactNode {
  const { code, amount } = method;
  return (
    <>
      <h3 className="card-title">
        {words.send} <Money of={{ amount, currency: code }} />
      </h3>
      <p className={css['checkoutPlace']}>
        <b>{words.address}</b>
        <span>{words.no_address}</span>
      </p>
      <p className="small soft">{words.locked}</p>
      <p className={css['checkoutActs']}>
        <ButtonLink href={stepUrl(locale, { demo: code, paid: '1' })}>{words.pretend}</ButtonLink>
        <ButtonLink look="quiet" href={stepUrl(locale)}>
          {words.other}
        </ButtonLink>
      </p>
    </>
  );
}

function Paid({ words, method: { code, amount }, locale }: OfMethod): ReactNode {
  return (
    <>
      <h3 className={`card-title ${css['checkoutDone']}`}>
        <Icon name="check-circle-fill" size={24} />
        {words.paid}
      </h3>
      <SlipLines>
        <SlipLine label={words.from_buyer}>
          <Money of={{ amount, currency: code }} />
        </SlipLine>
        <SlipLine label={words.credited} isTotal>
          <Money of={DUE} />
        </SlipLine>
      </SlipLines>
      <p className="small soft">{words.told}</p>
      <p className={css['checkoutActs']}>
        <ButtonLink look="secondary" href={stepUrl(locale)}>
          {words.again}
        </ButtonLink>
      </p>
    </>
  );
}
