import type { Output, Routes } from '@kurs/contract';
import type { ReactNode } from 'react';
import { Closing, Facts, Figures, Questions, Section, Steps } from '../../../../features/blocks/blocks.tsx';
import { structuredOf } from '../../../../features/blocks/structured.ts';
import { m } from '../../../../features/words.ts';
import type { Head } from '../../../../server/document/document.ts';
import { type Params, filledWords } from '../../../../server/document/page-words.ts';
import { givePartsTo } from '../../../../server/document/server-drawn-parts.ts';
import type { Visit } from '../../../../server/routing/visit.ts';
import { writeDecimal } from '../../../../ui/base/amount.ts';
import { pageUrl } from '../../../pages.ts';
import { AFFILIATE_WORDS, type AffiliateWords } from '../earn-words.ts';
import { SUMS } from '../income.ts';
import { Intro } from '../intro.tsx';

/** Data that the browser gets: initial values of the calculator. */
export interface AffiliateData {
  readonly head: Head;
  /** Amount that referred customers exchange in a month, in whole USD. */
  readonly sum: string;
  /** Fee that the calculator starts with, in percent. */
  readonly fee: string;
  /** Fees of all open directions, in percent. */
  readonly fees: readonly string[];
  /** Affiliate's share that the calculator starts with, in percent. */
  readonly share: string;
  /** Affiliates' shares at all levels, in percent. */
  readonly shares: readonly string[];
}

/**
 * Loads the page of the affiliate programme with the current rules. In the query, `sum`, `fee` and `share` are the calculator's
 * inputs.
 */
export async function load(visit: Visit): Promise<AffiliateData> {
  const { locale, url, client } = visit;
  const [{ directions }, { affiliates }] = await Promise.all([client.directions({}), client.rules({})]);
  const open = directions.filter((direction) => direction.open).map((direction) => direction.fee_percent);
  const fees = [...new Set(open.length > 0 ? open : ['1.5'])].sort((one, other) =>
    one.localeCompare(other, 'en', { numeric: true }),
  );
  const words = AFFILIATE_WORDS[locale];
  const fill = filling(visit, affiliates);
  const head: Head = {
    title: words.head.title,
    description: fill(words.head.description),
    jsonLd: structuredOf(visit, m.nav_affiliate(), fill(words.questions.items)),
  };
  givePartsTo(head, {
    intro: (
      <Intro
        title={fill(words.title)}
        crumb={m.nav_affiliate()}
        lead={fill(words.lead)}
        notice={fill(words.notice)}
        locale={locale}
      />
    ),
    story: <Story view={{ words, fill, visit, levels: affiliates.levels }} />,
  });
  const requested = (name: string, of: readonly string[]): string | undefined =>
    of.find((one) => one === url.searchParams.get(name));
  const shares = affiliates.levels.map((level) => level.share);
  return {
    head,
    sum: sumOf(url.searchParams.get('sum')),
    fees,
    fee: requested('fee', fees) ?? fees.at(Math.floor((fees.length - 1) / 2)) ?? '1.5',
    share: requested('share', shares) ?? shares[0] ?? '',
    shares,
  };
}

/** Returns the slider's step that is nearest to a requested amount. */
function sumOf(request: string | null): string {
  const sum = /^\d{1,6}$/.test(request ?? '') ? Number.parseInt(request ?? '', 10) : SUMS.start;
  return String(Math.min(SUMS.max, Math.round(sum / SUMS.step) * SUMS.step));
}

/** Function that fills in the placeholders of texts in any structure. */
type Fill = <W>(words: W, more?: Params) => W;

type Rules = Output<Routes['rules']>['affiliates'];

function filling({ locale, config }: Visit, rules: Rules): Fill {
  const { levels, second, max, split, active_usd: active, days, matures, least_usd: min } = rules;
  const params = {
    ...{ share: levels[0]?.share ?? '0', best: levels.at(-1)?.share ?? '0', second, max, split, days },
    ...{ active: writeDecimal(active, locale), min: writeDecimal(min, locale), url: config.url },
    ...{ chain: matures.final, wallet: matures.provider, reversible: matures.reversible },
  };
  return (words, more = {}) => filledWords(words, locale, { ...params, ...more });
}

interface View {
  readonly words: AffiliateWords;
  readonly fill: Fill;
  readonly visit: Visit;
  readonly levels: Rules['levels'];
}

function Story({ view: { words, fill, visit, levels: ladder } }: { view: View }): ReactNode {
  const { locale } = visit;
  const { rules, levels, way, today, questions, closing } = words;
  return (
    <>
      <Section id="rules" title={rules.title} locale={locale}>
        <Facts items={fill(rules.items)} locale={locale} />
      </Section>
      <Section id="levels" title={levels.title} lead={fill(levels.lead)} locale={locale}>
        <Figures
          head={[levels.active, levels.share]}
          rows={ladder.map(({ from, share }) => [
            from === 0 ? levels.zero : fill(levels.from, { from }),
            <b key={from}>{share}%</b>,
          ])}
          note={fill(levels.note)}
        />
      </Section>
      <Section id="way" title={way.title} locale={locale}>
        <Steps items={fill(way.items)} locale={locale} />
      </Section>
      <Section id="today" title={today.title} locale={locale}>
        <Facts items={fill(today.items)} locale={locale} />
      </Section>
      <Section id="questions" title={questions.title} locale={locale}>
        <Questions items={fill(questions.items)} locale={locale} />
      </Section>
      <Closing
        title={fill(closing.title)}
        text={fill(closing.text)}
        action={{ to: pageUrl(locale, 'rates'), name: closing.action }}
        locale={locale}
      />
    </>
  );
}
