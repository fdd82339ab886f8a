import type { Output, Routes } from '@kurs/contract';
import { NUMBERS } from '@kurs/contract/draw';
import type { ReactNode } from 'react';
import blocks from '../../../features/blocks/blocks.module.css';
import { Closing, Facts, Figures, Questions, Section, Steps } from '../../../features/blocks/blocks.tsx';
import { Crumbs } from '../../../features/blocks/crumbs.tsx';
import { structuredOf } from '../../../features/blocks/structured.ts';
import { m } from '../../../features/words.ts';
import type { Head } from '../../../server/document/document.ts';
import { type Params, filled, filledWords } from '../../../server/document/page-words.ts';
import { givePartsTo } from '../../../server/document/server-drawn-parts.ts';
import { Rich } from '../../../server/document/rich-text.tsx';
import type { Visit } from '../../../server/routing/visit.ts';
import { writeAmount, writeDecimal, writePercent } from '../../../ui/base/amount.ts';
import { writeTime } from '../../../ui/base/time.ts';
import { Code } from '../../../ui/parts/copyable.tsx';
import { SlipLine, SlipLines } from '../../../ui/parts/slip.tsx';
import { pageUrl } from '../../pages.ts';
import css from './earn.module.css';
import { EARN_WORDS } from './earn-words.ts';

/**
 * Data that the browser gets: `isOpen` is true if draws are open, `minToWallet` is the minimum sum that can be moved to the
 * wallet.
 */
export interface EarnData {
  readonly head: Head;
  readonly isOpen: boolean;
  readonly minToWallet: string;
}

type Rules = Output<Routes['earnRules']>;
type Locale = Visit['locale'];

/** Loads the page of draws and tasks with the current rules. */
export async function load(visit: Visit): Promise<EarnData> {
  const { locale, client } = visit;
  const rules = await client.earnRules({});
  const words = EARN_WORDS[locale];
  const params = paramsOf(rules, locale);
  const fill = (text: string): string => filled(text, locale, params);
  const head: Head = {
    title: words.head.title,
    description: fill(words.head.description),
    jsonLd: structuredOf(visit, m.nav_earn_free(), filledWords(words.questions.items, locale, params)),
  };
  givePartsTo(head, {
    intro: (
      <>
        <Crumbs name={m.nav_earn_free()} locale={locale} />
        <h1 className={blocks['title']}>{fill(words.title)}</h1>
        <p className={blocks['lead']}>
          <Rich text={fill(words.lead)} locale={locale} />
        </p>
      </>
    ),
    prizes: <Prizes rules={rules} locale={locale} />,
    story: <Story rules={rules} words={words} params={params} locale={locale} />,
  });
  return { head, isOpen: rules.is_open, minToWallet: rules.wallet_least };
}

function paramsOf(rules: Rules, locale: Locale): Params {
  const usd = (sum: string): string => writeDecimal(sum.replace(/\.00$/, ''), locale);
  const pays = (task: Rules['tasks'][number]['task']): string => usd(rules.tasks.find((one) => one.task === task)?.pays ?? '0');
  return {
    ...{ mean: usd(rules.mean), day: usd(rules.account_day), shared: usd(rules.shared_day), budget: usd(rules.day) },
    ...{ pot: usd(rules.pot_least), held: usd(rules.pot), min: usd(rules.wallet_least), order: usd(rules.order_least) },
    ...{ minutes: rules.draw_minutes, factor_days: rules.two_factor_days, streak: rules.streak_days },
    ...{ email: pays('email'), factor: pays('two_factor'), first: pays('first_order'), streak_pays: pays('streak') },
  };
}

/** Returns the probability of a prize, in percent, from its weight. */
const chanceOf = (weight: number): string => String((weight * 100) / NUMBERS);

/** List of the prizes with their probabilities, and the amount that can still be won today. */
function Prizes({ rules, locale }: { rules: Rules; locale: Locale }): ReactNode {
  const usd = (sum: string): string => `${writeAmount(sum, 2, locale)}\u00a0USD`;
  return (
    <SlipLines>
      {rules.table.map(({ prize, weight }) => (
        <SlipLine key={prize} label={usd(prize)}>
          {writePercent(chanceOf(weight), locale)}
        </SlipLine>
      ))}
      <SlipLine label={m.earn_left_now()} isTotal>
        {rules.is_open ? usd(rules.left) : m.earn_closed_short()}
      </SlipLine>
    </SlipLines>
  );
}

function Story({
  rules,
  words,
  params,
  locale,
}: {
  rules: Rules;
  words: (typeof EARN_WORDS)['en'];
  params: Params;
  locale: Locale;
}): ReactNode {
  const fill = <W,>(given: W): W => filledWords(given, locale, params);
  const { limits, table, way, tasks, abandoned, questions, closing } = words;
  return (
    <>
      <Section id="limits" title={limits.title} lead={fill(limits.lead)} locale={locale}>
        <Figures
          isNamed
          head={[limits.head.what, limits.head.most]}
          rows={fill(limits.rows).map(({ what, most }) => [what, most])}
          note={fill(limits.note)}
        />
      </Section>
      <Section id="prizes" title={table.title} lead={fill(table.lead)} locale={locale}>
        <Figures
          head={[table.head.prize, table.head.weight, table.head.chance]}
          rows={rules.table.map(({ prize, weight }) => [
            `${writeAmount(prize, 2, locale)}\u00a0USD`,
            writeAmount(String(weight), 0, locale),
            writePercent(chanceOf(weight), locale),
          ])}
        />
      </Section>
      <Section id="way" title={way.title} locale={locale}>
        <Steps items={fill(way.items)} locale={locale} />
      </Section>
      <Section id="tasks" title={tasks.title} locale={locale}>
        <Facts items={fill(tasks.items)} locale={locale} />
      </Section>
      <Section id="abandoned" title={abandoned.title} lead={fill(abandoned.lead)} locale={locale}>
        {rules.abandoned.length === 0 ? (
          <p className="soft">{abandoned.none}</p>
        ) : (
          <Abandoned rules={rules} words={abandoned} locale={locale} />
        )}
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

/** List of draws that their holders did not claim, with their seeds. */
function Abandoned({
  rules,
  words,
  locale,
}: {
  rules: Rules;
  words: (typeof EARN_WORDS)['en']['abandoned'];
  locale: Locale;
}): ReactNode {
  return (
    <div className={css['abandoned']}>
      <Figures
        head={[words.head.at, words.head.commit, words.head.seed]}
        rows={rules.abandoned.map(({ id, at, commit, seed }) => [
          writeTime(at, locale),
          <Code key={`${id} commit`}>{commit}</Code>,
          <Code key={`${id} seed`}>{seed}</Code>,
        ])}
      />
    </div>
  );
}
