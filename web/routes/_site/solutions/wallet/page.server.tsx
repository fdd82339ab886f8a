import { type ReactNode } from 'react';
import { Figures, Hero } from '../../../../features/blocks/blocks.tsx';
import { structuredOf } from '../../../../features/blocks/structured.ts';
import { type Currency, coinOf, findCurrency, labelsOf, shortNameOf } from '../../../../features/currency.ts';
import { writeMoney } from '../../../../features/money.tsx';
import { shownCurrencies } from '../../../../server/document/currencies.ts';
import type { Head } from '../../../../server/document/document.ts';
import { filled, filledWords } from '../../../../server/document/page-words.ts';
import { givePartsTo } from '../../../../server/document/server-drawn-parts.ts';
import type { Visit } from '../../../../server/routing/visit.ts';
import type { SiteLocale } from '../../../../site.ts';
import { writePercent } from '../../../../ui/base/amount.ts';
import { cx } from '../../../../ui/base/cx.ts';
import { Coin } from '../../../../ui/base/icon.tsx';
import { pageUrl } from '../../../pages.ts';
import type { SolutionData } from '../solution-data.ts';
import { type Rules, WALLET_WORDS, paramsOf } from '../solution-words.ts';
import css from '../solutions.module.css';
import { Story, questionsIn } from '../story.tsx';
import { type Demo, WalletDemo } from './wallet-demo.tsx';
import { demoOf } from './wallet-demo-data.ts';

type Words = (typeof WALLET_WORDS)['en'];
type Way = Rules['ways'][number];

/** Loads the page about wallets: their functions, fees and protections. */
export async function load(visit: Visit): Promise<SolutionData> {
  const { client, locale } = visit;
  const [rules, currencies, rates] = await Promise.all([client.rules({}), client.currencies({}), client.directions({})]);
  const words = filledWords(WALLET_WORDS[locale], locale, paramsOf(rules, locale));
  const shown = shownCurrencies(currencies);
  const demo = await demoOf(visit, rules.ways, rates.directions);
  const head: Head = {
    ...words.head,
    jsonLd: structuredOf(visit, 'HiWallet', questionsIn(words.sections)),
    ...(visit.url.searchParams.has('did') && { isUnlisted: true }),
  };
  givePartsTo(head, {
    page: <HiWallet words={words} locale={locale} ways={rules.ways} shown={shown} demo={demo} />,
  });
  return { head };
}

function HiWallet({
  words,
  locale,
  ways,
  shown,
  demo,
}: {
  words: Words;
  locale: SiteLocale;
  ways: readonly Way[];
  shown: readonly Currency[];
  demo: Demo;
}): ReactNode {
  const [open = '', fees = ''] = words.actions;
  const actions = [
    { to: pageUrl(locale, 'wallet'), name: open },
    { to: '#fees', name: fees },
  ];
  return (
    <>
      <Hero title={words.title} crumb="HiWallet" lead={words.lead} locale={locale} actions={actions}>
        {demo.account.wallets.length > 0 && <WalletDemo demo={demo} words={words.demo} locale={locale} />}
      </Hero>
      <Story words={words} locale={locale} drawn={{ fees: <Fees words={words} locale={locale} ways={ways} shown={shown} /> }} />
    </>
  );
}

/** Table of fees for deposits and withdrawals. E-wallets with the same name and fees share a row. */
function Fees({
  words: { table },
  locale,
  ways,
  shown,
}: {
  words: Words;
  locale: SiteLocale;
  ways: readonly Way[];
  shown: readonly Currency[];
}): ReactNode {
  const rows = new Map<string, { codes: string[]; into: string; out: string }>();
  for (const way of ways) {
    const currency = findCurrency(shown, way.currency);
    const [into, out] = [payingIn(way, currency, table, locale), withdrawing(way, currency, table, locale)];
    const key = currency.kind === 'ewallet' ? `${currency.name} ${into} ${out}` : currency.code;
    const row = rows.get(key) ?? { codes: [], into, out };
    row.codes.push(way.currency);
    rows.set(key, row);
  }
  if (rows.size === 0) return <p className="card pad soft">{table.empty}</p>;
  return (
    <div className={css['ways']}>
      <Figures
        head={[table.money, table.in, table.out]}
        rows={[...rows.values()].map(({ codes, into, out }) => [
          <Named key="name" codes={codes} shown={shown} />,
          <span key="in" className="num">
            {into}
          </span>,
          <span key="out" className="num">
            {out}
          </span>,
        ])}
        note={table.note}
      />
    </div>
  );
}

function Named({ codes, shown }: { codes: readonly string[]; shown: readonly Currency[] }): ReactNode {
  const [first = ''] = codes;
  const currency = findCurrency(shown, first);
  const name = currency.kind === 'ewallet' ? labelsOf(currency).title : shortNameOf(currency, shown);
  const notes = codes.map((code) => labelsOf(findCurrency(shown, code)).note);
  return (
    <span className={css['pair']}>
      <Coin {...coinOf(first)} size={28} />
      <span>
        {name}
        {currency.kind === 'ewallet' && <span className={cx('mute', css['notes'])}>{notes.join(', ')}</span>}
      </span>
    </span>
  );
}

const sumOf = (amount: string, currency: Currency, locale: SiteLocale): string =>
  writeMoney({ amount, currency: currency.code }, [currency], locale);

function payingIn({ deposit }: Way, currency: Currency, table: Words['table'], locale: SiteLocale): string {
  if (!deposit) return table.none;
  const cost = costOf(deposit, currency, table, locale);
  return filled(cost === undefined ? table.from : table.from_less, locale, {
    min: sumOf(deposit.minimum, currency, locale),
    ...(cost !== undefined && { cost }),
  });
}

const withdrawing = ({ withdrawal }: Way, currency: Currency, table: Words['table'], locale: SiteLocale): string =>
  withdrawal ? (costOf(withdrawal, currency, table, locale) ?? table.free) : table.none;

interface Cost {
  readonly network?: string;
  readonly percent?: string | undefined;
  readonly fixed?: string | undefined;
  readonly min?: string | undefined;
  readonly cap?: string | undefined;
}

const isNothing = (amount: string | undefined): amount is undefined => amount === undefined || /^0(\.0+)?$/.test(amount);

/**
 * Returns the text for the cost of a payment: a percentage with its minimum and maximum, and fixed amounts. Returns undefined if
 * the payment is free.
 */
function costOf(cost: Cost, currency: Currency, table: Words['table'], locale: SiteLocale): string | undefined {
  const { network, percent, fixed, min, cap } = cost;
  const money = (amount: string): string => sumOf(amount, currency, locale);
  const sums = [network, fixed].flatMap((amount) => (isNothing(amount) ? [] : [money(amount)]));
  const parts = [...(isNothing(percent) ? [] : [writePercent(percent, locale)]), ...sums];
  if (parts.length === 0) return undefined;
  const bounds = [
    ...(isNothing(min) ? [] : [filled(table.at_least, locale, { sum: money(min) })]),
    ...(isNothing(cap) ? [] : [filled(table.at_most, locale, { sum: money(cap) })]),
  ];
  return [parts.join(' + '), ...bounds].join(', ');
}
