import { type ReactNode, useEffect } from 'react';
import { useLoaderData } from 'react-router';
import { ServerPart } from '../../../features/server-part.tsx';
import { useSite } from '../../../features/site.ts';
import '../../../ui/fields/button.module.css';
import { cx } from '../../../ui/base/cx.ts';
import { useTitle } from '../../../ui/base/title.ts';
import { Main } from '../layout.tsx';
import { linkAnswers } from './answer-links.ts';
import type { FaqData } from './page.server.tsx';
import css from './faq.module.css';

/** Page of questions and answers. Rendered by the server and always loaded as a document. */
export default function FaqPage(): ReactNode {
  const { head } = useLoaderData<FaqData>();
  useTitle(head.title, useSite().name);
  useEffect(linkAnswers, []);
  useAnswerOfAddress();
  return (
    <Main>
      <ServerPart name="answers" className={cx('wrap', css['page'])} />
    </Main>
  );
}

/** Opens the answer whose id is the URL's hash. Ids consist of plain letters, so the hash needs no decoding. */
function useAnswerOfAddress(): void {
  useEffect(() => {
    const open = (): void => {
      const answer = document.getElementById(location.hash.slice(1));
      if (!(answer instanceof HTMLDetailsElement)) return;
      answer.open = true;
      answer.scrollIntoView();
    };
    open();
    addEventListener('hashchange', open);
    return () => removeEventListener('hashchange', open);
  }, []);
}
