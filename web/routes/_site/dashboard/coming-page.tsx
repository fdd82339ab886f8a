import type { ReactNode } from 'react';
import { useSite } from '../../../features/site.ts';
import { m } from '../../../features/words.ts';
import { ButtonLink } from '../../../ui/fields/button.tsx';
import { pageUrl } from '../../pages.ts';
import css from './frame.module.css';

/** A page that is still to come: says so, and what exists instead. */
export function ComingPage(): ReactNode {
  const { locale } = useSite();
  return (
    <section className={css['plain']}>
      <h1 className="title">{m.dashboard_affiliates()}</h1>
      <p className="soft">{m.affiliates_later()}</p>
      <p>
        <ButtonLink look="secondary" href={pageUrl(locale, 'dashboard')}>
          {m.dashboard_back()}
        </ButtonLink>
      </p>
    </section>
  );
}
