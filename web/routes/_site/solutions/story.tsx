import type { ReactNode } from 'react';
import { Closing, Facts, Questions, Section, Steps } from '../../../features/blocks/blocks.tsx';
import { targetOf } from '../../../server/document/rich-text.tsx';
import type { SiteLocale } from '../../../site.ts';
import type { Entry, SectionWords, SolutionWords } from './solution-words.ts';

// Sections of all solution pages. Rendered on the server only.

/**
 * Sections of a page, one below the other, and a link at the end. `drawn` contains, by section, content that replaces the
 * section's entries.
 */
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
  if (items.length === 0) return null;
  if (items.every(isFact)) return <Facts items={items} locale={locale} />;
  if (items.every(isStep)) return <Steps items={items} locale={locale} />;
  return <Questions items={items.filter(isQuestion)} locale={locale} />;
}

/** Returns all questions in a page's sections, with their answers. */
export const questionsIn = (sections: readonly SectionWords[]): Required<Pick<Entry, 'question' | 'answer'>>[] =>
  sections.flatMap(({ items }) => items.filter(isQuestion));
