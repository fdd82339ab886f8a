/**
 * Id of the template for the link with which an answer links to itself. The HTML contains the link once, in the template, instead
 * of once per answer.
 */
export const ANSWER_LINK = 'answer-link';

/** Adds the template's link to each answer that is open or gets opened. Returns the function that stops this. */
export function linkAnswers(): () => void {
  const link = document.querySelector<HTMLTemplateElement>(`#${ANSWER_LINK}`)?.content.querySelector('a');
  const add = (details: Element): void => {
    const answer = details.querySelector(':scope > div');
    if (!link || !answer || answer.querySelector(`:scope > .${link.className}`)) return;
    const own = document.importNode(link, true);
    own.hash = details.id;
    answer.append(own);
  };
  for (const open of document.querySelectorAll('main details[id][open]')) add(open);
  const opened = ({ target }: Event): void => {
    if ((target as Element).matches('main details[id][open]')) add(target as Element);
  };
  document.addEventListener('toggle', opened, true);
  return () => document.removeEventListener('toggle', opened, true);
}
