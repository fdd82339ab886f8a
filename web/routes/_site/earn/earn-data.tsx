import type { ReactNode } from 'react';
import { Closing, Facts, Figures, Questions, Section, Steps } from '../../../features/blocks/blocks.tsx';
import { structuredOf } from '../../../features/blocks/structured.ts';
import { m } from '../../../features/words.ts';
import type { Head } from '../../../server/document/document.ts';
import { type Params, filled, filledWords } from '../../../server/document/page-words.ts';
import { givePartsTo } from '../../../server/document/parts.ts';
import type { Visit } from '../../../server/routing/visit.ts';
import { writeDecimal } from '../../../ui/base/amount.ts';
import { pageUrl } from '../../pages.ts';
import { EARN_WORDS } from './earn-words.ts';
import { Planned } from './planned-notice.tsx';
import { PLANNED } from './planned.ts';

/** What the browser knows of the page: nothing but its name. */
export interface EarnData {
  readonly head: Head;
}

/** Claims and tasks as they are planned, their limits first. */
export async function loadEarn(visit: Visit): Promise<EarnData> {
  const { locale } = visit;
  const words = EARN_WORDS[locale];
  const { mean_usd, account_day_usd, budget_day_usd, pot_least_usd, withdraw_usd, streak_days } = PLANNED.earn;
  const params = {
    ...{ mean: writeDecimal(mean_usd, locale), day: writeDecimal(account_day_usd, locale), budget: budget_day_usd },
    ...{ pot: pot_least_usd, min: withdraw_usd, streak: streak_days },
  };
  const fill = (text: string): string => filled(text, locale, params);
  const head: Head = {
    title: words.head.title,
    description: fill(words.head.description),
    jsonLd: structuredOf(visit, m.nav_earn_free(), filledWords(words.questions.items, locale, params)),
  };
  givePartsTo(head, {
    intro: (
      <Planned
        title={fill(words.title)}
        crumb={m.nav_earn_free()}
        lead={fill(words.lead)}
        notice={filledWords(words.notice, locale, params)}
        locale={locale}
      />
    ),
    story: story(words, locale, params),
  });
  return { head };
}

function story(words: (typeof EARN_WORDS)['en'], locale: Visit['locale'], params: Params): ReactNode {
  const fill = <W,>(given: W): W => filledWords(given, locale, params);
  const { limits, way, tasks, questions, closing } = words;
  return (
    <>
      <Section id="limits" title={limits.title} lead={fill(limits.lead)} locale={locale}>
        <Figures
          named
          head={[limits.head.what, limits.head.most]}
          rows={fill(limits.rows).map(({ what, most }) => [what, most])}
          note={fill(limits.note)}
        />
      </Section>
      <Section id="way" title={way.title} locale={locale}>
        <Steps items={fill(way.items)} locale={locale} />
      </Section>
      <Section id="tasks" title={tasks.title} locale={locale}>
        <Facts items={fill(tasks.items)} locale={locale} />
      </Section>
      <Section id="questions" title={questions.title} locale={locale}>
        <Questions items={fill(questions.items)} locale={locale} />
      </Section>
      <Closing
        title={fill(closing.title)}
        text={fill(closing.text)}
        action={{ to: pageUrl(locale, 'affiliateProgram'), name: closing.action }}
        locale={locale}
      />
    </>
  );
}
