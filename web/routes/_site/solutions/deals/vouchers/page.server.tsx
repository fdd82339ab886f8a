import type { ReactNode } from 'react';
import { Section } from '../../../../../features/blocks/blocks.tsx';
import { structuredOf } from '../../../../../features/blocks/structured.ts';
import type { Direction } from '../../../../../features/calculator/price-breakdown.ts';
import type { Head } from '../../../../../server/document/document.ts';
import { filledWords } from '../../../../../server/document/page-words.ts';
import { givePartsTo } from '../../../../../server/document/server-drawn-parts.ts';
import type { Visit } from '../../../../../server/routing/visit.ts';
import type { SiteLocale } from '../../../../../site.ts';
import { pageUrl } from '../../../../pages.ts';
import { offeredOf } from '../../../calculator-data.ts';
import { type DealData, beginWith, chosenOf, easiestFirst, offeredOnes } from '../deal-data.ts';
import { DealIntro, Presets } from '../deal-intro.tsx';
import { DealsTable } from '../deals-table.tsx';
import { VOUCHER_WORDS, paramsOf } from '../../solution-words.ts';
import { Story, questionsIn } from '../../story.tsx';

export { submit } from '../deal-data.ts';

type Words = (typeof VOUCHER_WORDS)['en'];

const isVoucher = (code: string): boolean => code.startsWith('PMV_');

/** Loads the page of vouchers. Its calculator starts with an exchange in which a voucher is bought or sold. */
export async function load(visit: Visit): Promise<DealData> {
  const { client, locale } = visit;
  const [rates, rules, landing, currencies] = await Promise.all([
    client.directions({}),
    client.rules({}),
    client.landing({}),
    client.currencies({}),
  ]);
  const verified = currencies.filter(({ payer_level }) => payer_level > 0);
  const names = [...new Set(verified.map(({ name }) => name))].join(', ');
  const params = { ...paramsOf(rules, locale), minutes: landing.lock_minutes, names };
  const words = filledWords(VOUCHER_WORDS[locale], locale, params);
  const buy = offeredOnes(rates.directions, ({ to }) => isVoucher(to));
  const sell = offeredOnes(rates.directions, ({ from }) => isVoucher(from));
  const [first] = easiestFirst(buy);
  const chosen = chosenOf(visit, rates.directions, [...easiestFirst(buy), ...sell]);
  const head: Head = { ...words.head, jsonLd: structuredOf(visit, words.crumb, questionsIn(words.sections)) };
  givePartsTo(head, {
    intro: <Intro words={words} locale={locale} presets={{ buy: first, sell: sell[0] }} chosen={chosen} />,
    story: <VouchersStory words={words} locale={locale} buy={buy} sell={sell} verified={verified.map(({ code }) => code)} />,
  });
  return {
    head,
    offered: offeredOf(rates.directions, chosen ? [chosen] : [], rates.rates_at),
    ...(await beginWith(visit, chosen)),
  };
}

function Intro({
  words,
  locale,
  presets,
  chosen,
}: {
  words: Words;
  locale: SiteLocale;
  presets: { readonly buy: Direction | undefined; readonly sell: Direction | undefined };
  chosen: Direction | undefined;
}): ReactNode {
  const { buy, sell } = presets;
  const at = ({ from, to }: Direction): string => pageUrl(locale, 'vouchers', { from, to });
  return (
    <DealIntro title={words.title} crumb={words.crumb} lead={words.lead}>
      {buy && sell && (
        <Presets
          label={words.deal.label}
          places={[
            { to: at(buy), name: words.deal.buy, isChosen: chosen !== undefined && isVoucher(chosen.to) },
            { to: at(sell), name: words.deal.sell, isChosen: chosen !== undefined && isVoucher(chosen.from) },
          ]}
        />
      )}
    </DealIntro>
  );
}

function VouchersStory({
  words,
  locale,
  buy,
  sell,
  verified,
}: {
  words: Words;
  locale: SiteLocale;
  buy: readonly Direction[];
  sell: readonly Direction[];
  /** Codes of the currencies in which only verified customers may pay. */
  verified: readonly string[];
}): ReactNode {
  return (
    <>
      <Section id="buy" title={words.buy.title} locale={locale}>
        <DealsTable
          rows={buy}
          words={words.table}
          empty={words.buy.empty}
          {...(buy.some(({ from }) => verified.includes(from)) && { limits: words.buy.limits })}
        />
      </Section>
      <Section id="sell" title={words.sell.title} locale={locale}>
        <DealsTable rows={sell} words={words.table} empty={words.sell.empty} />
      </Section>
      <Story words={words} locale={locale} />
    </>
  );
}
