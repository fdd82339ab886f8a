import type { ReactNode } from 'react';
import blocks from '../../../features/blocks/blocks.module.css';
import { Crumbs } from '../../../features/blocks/crumbs.tsx';
import { Rich } from '../../../server/document/rich-text.tsx';
import type { SiteLocale } from '../../../site.ts';
import { Icon } from '../../../ui/base/icon.tsx';
import css from './earn.module.css';

/** Head of a programme's page: breadcrumbs, title and description, and a notice. */
export function Intro({
  title,
  crumb,
  lead,
  notice,
  locale,
}: {
  title: string;
  crumb: string;
  lead: string;
  notice: { readonly title: string; readonly text: string };
  locale: SiteLocale;
}): ReactNode {
  return (
    <>
      <Crumbs name={crumb} locale={locale} />
      <h1 className={blocks['title']}>{title}</h1>
      <p className={blocks['lead']}>
        <Rich text={lead} locale={locale} />
      </p>
      <p className={css['notice']}>
        <Icon name="info-fill" />
        <span>
          <b>{notice.title}</b> <Rich text={notice.text} locale={locale} />
        </span>
      </p>
    </>
  );
}
