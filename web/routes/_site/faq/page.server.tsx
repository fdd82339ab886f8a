import { structuredOf } from '../../../features/blocks/structured.ts';
import type { Head } from '../../../server/document/document.ts';
import { filled } from '../../../server/document/page-words.ts';
import { givePartsTo } from '../../../server/document/server-drawn-parts.ts';
import { plain } from '../../../server/document/rich-text.tsx';
import type { Visit } from '../../../server/routing/visit.ts';
import type { SiteLocale } from '../../../site.ts';
import { Answers, type FaqView } from './answers.tsx';
import { FAQ_WORDS, type FaqWords } from './faq-words.ts';
import { searchFor } from './search.ts';

/** Data that the browser gets: the head only, since the server renders the whole page. */
export interface FaqData {
  readonly head: Head;
}

type Group = FaqWords['groups'][number];

const LONGEST_QUERY = 60;

/** Loads the questions and answers. With `q` in the query, only those that contain each of its words in some form. */
export async function load(visit: Visit): Promise<FaqData> {
  const { locale, client } = visit;
  const words = FAQ_WORDS[locale];
  const { lock_minutes: minutes } = await client.landing({});
  const groups = words.groups.map((group) => filledGroup(group, visit, minutes));
  const query = (visit.url.searchParams.get('q') ?? '').trim().slice(0, LONGEST_QUERY);
  const shown = query === '' ? groups : matching(groups, query, locale);
  const requests = groups.flatMap(({ questions }) => questions);
  const view: FaqView = { locale, words, groups: shown, query };
  const head: Head = { ...words.head, jsonLd: structuredOf(visit, words.title, requests) };
  givePartsTo(head, { answers: <Answers view={view} /> });
  return { head };
}

function filledGroup({ id, title, questions }: Group, { locale }: Visit, minutes: number): Group {
  const fill = (text: string): string => filled(text, locale, { minutes });
  return {
    id,
    title: fill(title),
    questions: questions.map((one) => ({ ...one, question: fill(one.question), answer: fill(one.answer) })),
  };
}

/**
 * Returns the groups that have matching questions, with only these questions. Searches the question, the answer, and the synonyms
 * in `also`.
 */
function matching(groups: readonly Group[], query: string, locale: SiteLocale): Group[] {
  const holds = searchFor(query, locale);
  return groups
    .map((group) => ({
      ...group,
      questions: group.questions.filter(({ question, answer, also = '' }) => holds(plain(`${question} ${answer} ${also}`))),
    }))
    .filter(({ questions }) => questions.length > 0);
}
