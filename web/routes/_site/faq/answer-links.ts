/** The id of the template of an answer's link to itself: the page has it once, for it stands under every answer. */
export const ANSWER_LINK = 'answer-link';

/** Puts it under each answer that is open or is opened. Gives what ends it. */
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
