import type { ReactNode } from 'react';
import { Figures, Hero } from '../../../../features/blocks/blocks.tsx';
import { structuredOf } from '../../../../features/blocks/structured.ts';
import { feeName } from '../../../../features/calculator/fee-name.ts';
import type { Quote } from '../../../../features/calculator/price-breakdown.ts';
import { findCurrency, shortNameOf } from '../../../../features/currency.ts';
import { Money } from '../../../../features/money.tsx';
import { m } from '../../../../features/words.ts';
import { shownCurrencies } from '../../../../server/document/currencies.ts';
import type { Head } from '../../../../server/document/document.ts';
import { filled, filledWords } from '../../../../server/document/page-words.ts';
import { givePartsTo } from '../../../../server/document/server-drawn-parts.ts';
import type { Visit } from '../../../../server/routing/visit.ts';
import type { SiteLocale } from '../../../../site.ts';
import { writeAmount, writePercent, writeRate } from '../../../../ui/base/amount.ts';
import { Slip, SlipLine, SlipLines } from '../../../../ui/parts/slip.tsx';
import { pageUrl } from '../../../pages.ts';
import type { SolutionData } from '../solution-data.ts';
import { BUSINESS_WORDS, type Rules } from '../solution-words.ts';
import css from '../solutions.module.css';
import { Story, questionsIn } from '../story.tsx';

type Words = (typeof BUSINESS_WORDS)['en'];

/** Loads the page for businesses, which shows a current quote and the current limits. */
export async function load(visit: Visit): Promise<SolutionData> {
  const { client, locale } = visit;
  const [landing, rules, currencies] = await Promise.all([client.landing({}), client.rules({}), client.currencies({})]);
  const shown = shownCurrencies(currencies);
  const name = (code: string): string => shortNameOf(findCurrency(shown, code), shown);
  const { hero } = landing;
  const params = { minutes: landing.lock_minutes, from: name(hero.from), to: name(hero.to) };
  const words = filledWords(BUSINESS_WORDS[locale], locale, params);
  const quote = await client.calculate({ ...hero, side: 'give' }).catch(() => undefined);
  const head: Head = { ...words.head, jsonLd: structuredOf(visit, words.crumb, questionsIn(words.sections)) };
  const [api = '', wallet = ''] = words.actions;
  const actions = [
    { to: pageUrl(locale, 'paymentGate'), name: api },
    { to: pageUrl(locale, 'wallet'), name: wallet },
  ];
  givePartsTo(head, {
    page: (
      <>
        <Hero title={words.title} crumb={words.crumb} lead={words.lead} locale={locale} actions={actions}>
          {quote && <Arriving quote={quote} words={words.sample} locale={locale} />}
        </Hero>
        <Story
          words={words}
          locale={locale}
          drawn={{ limits: <Limits levels={rules.levels} words={words.table} locale={locale} /> }}
        />
      </>
    ),
  });
  return { head };
}

function Arriving({ quote, words, locale }: { quote: Quote; words: Words['sample']; locale: SiteLocale }): ReactNode {
  const { give, get, fees, rate } = quote;
  return (
    <Slip label={words.title}>
      <h2 className="card-title">{words.title}</h2>
      <div className={css['arriving']}>
        <SlipLines>
          <SlipLine label={words.pays}>
            <Money of={give} beside={get} />
          </SlipLine>
          {fees.map((fee) => (
            <SlipLine
              key={fee.code}
              label={feeName(fee.code, fee.percent === undefined ? undefined : writePercent(fee.percent, locale))}
            >
              <Money of={fee} sign="−" />
            </SlipLine>
          ))}
          <SlipLine label={m.slip_rate()}>
            1&nbsp;{rate.base} = {writeRate(rate.value, locale)}&nbsp;{rate.quote}
          </SlipLine>
          <SlipLine label={words.gets} isTotal>
            <Money of={get} beside={give} />
          </SlipLine>
        </SlipLines>
      </div>
      <p className="tiny mute">{words.note}</p>
    </Slip>
  );
}

function Limits({ levels, words, locale }: { levels: Rules['levels']; words: Words['table']; locale: SiteLocale }): ReactNode {
  const usd = (amount: string | null): ReactNode => (
    <span className="num">{amount === null ? words.none : `${writeAmount(amount, 0, locale)}\u00a0USD`}</span>
  );
  return (
    <div className={css['deals']}>
      <Figures
        head={[words.level, words.order, words.day, words.month]}
        rows={levels.map(({ per_order, day, month }, level) => [
          filled(words.levels[level] ?? String(level), locale),
          usd(per_order),
          usd(day),
          usd(month),
        ])}
      />
    </div>
  );
}
