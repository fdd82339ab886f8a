import type { ReactNode } from 'react';
import { m } from '../../features/words.ts';
import css from './layout.module.css';

/** First link of a page, visible only with the focus. It leads past the header to the page's content. */
export const SkipLink = (): ReactNode => (
  <a className={css['skip']} href="#main">
    {m.skip_link()}
  </a>
);
