import type { ReactNode } from 'react';
import { useLocation } from 'react-router';
import { useSite } from '../../../features/site.ts';
import { m } from '../../../features/words.ts';
import { ButtonLink } from '../../../ui/fields/button.tsx';
import { pageUrl } from '../../pages.ts';
import css from './frame.module.css';

/** A page that is still to come: says so, and what exists instead. */
export function ComingPage(): ReactNode {
  const { locale } = useSite();
  const isAffiliates = useLocation().pathname === pageUrl(locale, 'affiliates');
  return (
    <section className={css['plain']}>
      <h1 className="title">{isAffiliates ? m.dashboard_affiliates() : m.dashboard_discount()}</h1>
      <p className="soft">{isAffiliates ? m.affiliates_later() : m.discount_later()}</p>
      <p>
        <ButtonLink look="secondary" href={pageUrl(locale, 'dashboard')}>
          {m.dashboard_back()}
        </ButtonLink>
      </p>
    </section>
  );
}
