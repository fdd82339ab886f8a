import type { ReactNode } from 'react';
import { Closing, Facts, Questions, Section, Steps } from '../../../features/blocks/blocks.tsx';
import { plain, targetOf } from '../../../server/rich-text.tsx';
import type { Visit } from '../../../server/visit.ts';
import type { SiteLocale } from '../../../site.ts';
import { pageUrl } from '../../pages.ts';
import type { Entry, SectionWords, SolutionWords } from './solution-words.ts';

// What the pages of solutions have in common, drawn by the server alone.

/** The sections of a page one under the other, and what to do next. `drawn`: what stands in the place of entries, by section. */
export function Story({
  words,
  locale,
  drawn = {},
}: {
  words: SolutionWords;
  locale: SiteLocale;
  drawn?: Readonly<Record<string, ReactNode>>;
}): ReactNode {
  const { closing } = words;
  return (
    <>
      {words.sections.map((section) => (
        <Section key={section.id} id={section.id} title={section.title} lead={section.lead} locale={locale}>
          {drawn[section.id] ?? <Entries items={section.items} locale={locale} />}
        </Section>
      ))}
      <Closing
        title={closing.title}
        text={closing.text}
        action={{ to: targetOf(closing.to, locale), name: closing.name }}
        locale={locale}
      />
    </>
  );
}

const isFact = (one: Entry): one is Required<Pick<Entry, 'icon' | 'title' | 'text'>> => one.icon !== undefined;
const isStep = (one: Entry): one is Required<Pick<Entry, 'title' | 'text'>> => one.title !== undefined;
const isQuestion = (one: Entry): one is Required<Pick<Entry, 'question' | 'answer'>> => one.question !== undefined;

function Entries({ items, locale }: { items: readonly Entry[]; locale: SiteLocale }): ReactNode {
  if (items.every(isFact)) return <Facts items={items} locale={locale} />;
  if (items.every(isStep)) return <Steps items={items} locale={locale} />;
  return <Questions items={items.filter(isQuestion)} locale={locale} />;
}

/** Structured data: where the page stands, and its questions. https://schema.org/BreadcrumbList, https://schema.org/FAQPage */
export function structuredOf(
  { config, locale, url }: Visit,
  name: string,
  sections: readonly SectionWords[],
  home: string,
): object {
  const crumbs = [
    [home, pageUrl(locale, 'home')],
    [name, url.pathname],
  ];
  const questions = sections.flatMap(({ items }) => items.filter(isQuestion));
  return {
    '@context': 'https://schema.org',
    '@graph': [
      {
        '@type': 'BreadcrumbList',
        itemListElement: crumbs.map(([title, path], index) => ({
          '@type': 'ListItem',
          position: index + 1,
          name: title,
          item: `${config.url}${path}`,
        })),
      },
      ...(questions.length === 0
        ? []
        : [
            {
              '@type': 'FAQPage',
              inLanguage: locale,
              mainEntity: questions.map(({ question, answer }) => ({
                '@type': 'Question',
                name: question,
                acceptedAnswer: { '@type': 'Answer', text: plain(answer).replaceAll('\n\n', ' ') },
              })),
            },
          ]),
    ],
  };
}
