import type { ReactNode } from 'react';
import { Section } from '../../../../../features/blocks/blocks.tsx';
import { structuredOf } from '../../../../../features/blocks/structured.ts';
import type { Direction } from '../../../../../features/calculator/price-breakdown.ts';
import type { Head } from '../../../../../server/document/document.ts';
import { filledWords } from '../../../../../server/document/page-words.ts';
import { givePartsTo } from '../../../../../server/document/server-drawn-parts.ts';
import type { Visit } from '../../../../../server/routing/visit.ts';
import type { SiteLocale } from '../../../../../site.ts';
import { Message } from '../../../../../ui/parts/message.tsx';
import { offeredOf } from '../../../calculator-data.ts';
import { type DealData, beginWith, chosenOf, isPayPal, offeredOnes } from '../deal-data.ts';
import { DealIntro } from '../deal-intro.tsx';
import { DealsTable } from '../deals-table.tsx';
import { PAYPAL_WORDS, paramsOf } from '../../solution-words.ts';
import { Story, questionsIn } from '../../story.tsx';

export { submit } from '../deal-data.ts';

type Words = (typeof PAYPAL_WORDS)['en'];

/** Loads the page of exchanges to and from PayPal, with the desk's rules for such exchanges. */
export async function load(visit: Visit): Promise<DealData> {
  const { client, locale } = visit;
  const [rates, rules] = await Promise.all([client.directions({}), client.rules({})]);
  const words = filledWords(PAYPAL_WORDS[locale], locale, paramsOf(rules, locale));
  const receive = offeredOnes(rates.directions, ({ to }) => isPayPal(to));
  const pay = offeredOnes(rates.directions, ({ from }) => isPayPal(from));
  const chosen = chosenOf(visit, rates.directions, [...receive, ...pay]);
  const head: Head = { ...words.head, jsonLd: structuredOf(visit, words.crumb, questionsIn(words.sections)) };
  givePartsTo(head, {
    intro: <DealIntro title={words.title} crumb={words.crumb} lead={words.lead} />,
    story: <PayPalStory words={words} locale={locale} receive={receive} pay={pay} isTaken={rules.reversible.taken} />,
  });
  return {
    head,
    offered: offeredOf(rates.directions, chosen ? [chosen] : [], rates.rates_at),
    ...(await beginWith(visit, chosen)),
  };
}

function PayPalStory({
  words,
  locale,
  receive,
  pay,
  isTaken,
}: {
  words: Words;
  locale: SiteLocale;
  receive: readonly Direction[];
  pay: readonly Direction[];
  isTaken: boolean;
}): ReactNode {
  return (
    <>
      <Section id="receive" title={words.receive.title} lead={words.receive.lead} locale={locale}>
        <DealsTable rows={receive} words={words.table} empty={words.receive.empty} />
      </Section>
      <Section id="pay" title={words.pay.title} lead={words.pay.lead} locale={locale}>
        {isTaken ? (
          <DealsTable rows={pay} words={words.table} empty={words.pay.empty} limits={words.pay.limits} />
        ) : (
          <Message tone="neutral" title={words.pay.empty}>
            {words.pay.off}
          </Message>
        )}
      </Section>
      <Story words={words} locale={locale} />
    </>
  );
}
