import { plain } from '../../server/document/rich-text.tsx';
import type { Visit } from '../../server/routing/visit.ts';
import { crumbList } from './crumbs.tsx';

/**
 * Returns a page's structured data: its breadcrumbs and its questions. https://schema.org/BreadcrumbList,
 * https://schema.org/FAQPage
 */
export function structuredOf(
  visit: Visit,
  name: string,
  questions: readonly { readonly question: string; readonly answer: string }[],
): object {
  const requests = questions.map(({ question, answer }) => ({
    '@type': 'Question',
    name: question,
    acceptedAnswer: { '@type': 'Answer', text: plain(answer).replaceAll('\n\n', ' ') },
  }));
  const faq = { '@type': 'FAQPage', inLanguage: visit.locale, mainEntity: requests };
  return { '@context': 'https://schema.org', '@graph': [crumbList(visit, name), ...(requests.length === 0 ? [] : [faq])] };
}
