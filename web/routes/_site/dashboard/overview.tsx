import type { ReactNode } from 'react';
import { useSite } from '../../../features/site.ts';
import { m } from '../../../features/words.ts';
import { ButtonLink } from '../../../ui/button.tsx';
import { pageUrl } from '../../pages.ts';
import css from './frame.module.css';
import { useUser } from './user.ts';

/** Where an account holder begins. */
export function OverviewPage(): ReactNode {
  const { locale } = useSite();
  const name = useUser()?.name;
  return (
    <section className={css['plain']}>
      <h1 className="title">{name ? m.overview_hello_name({ name }) : m.overview_hello()}</h1>
      <p className="soft">{m.overview_lead()}</p>
      <p>
        <ButtonLink icon="plus" href={pageUrl(locale, 'home')}>
          {m.dashboard_new()}
        </ButtonLink>
      </p>
    </section>
  );
}
