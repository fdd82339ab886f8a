import type { ReactNode } from 'react';
import { Paragraphs, Rich } from '../../server/document/rich-text.tsx';
import type { SiteLocale } from '../../site.ts';
import { ButtonLink } from '../../ui/fields/button.tsx';
import { cx } from '../../ui/base/cx.ts';
import { Icon } from '../../ui/base/icon.tsx';
import type { IconName } from '../../ui/base/icons.ts';
import css from './blocks.module.css';
import { Crumbs } from './crumbs.tsx';

// Building blocks of text pages, which only the server renders. The browser loads a page's `page.tsx`, so `page.tsx` imports only
// the styles in `blocks.module.css` and no blocks. The texts have no placeholders left (`filled`), and may contain bold text,
// code and links.

/** Head of a page: title, lead and actions, with an optional picture beside them. */
export function Hero({
  title,
  crumb,
  lead,
  locale,
  actions,
  children,
}: {
  title: string;
  /** Short name of the page, shown as the last of its breadcrumbs. */
  crumb?: string;
  lead: string;
  locale: SiteLocale;
  actions?: readonly { readonly to: string; readonly name: string }[];
  /** Picture beside the texts. Without a picture the texts take the whole width. */
  children?: ReactNode;
}): ReactNode {
  return (
    <div className={css['hero']}>
      {children !== undefined && <div className={css['rosette']} aria-hidden="true" />}
      <div className={cx('wrap', css['split'], children === undefined && css['single'])}>
        <div>
          {crumb !== undefined && <Crumbs name={crumb} locale={locale} />}
          <h1 className={css['title']}>{title}</h1>
          <p className={css['lead']}>
            <Rich text={lead} locale={locale} />
          </p>
          {actions && actions.length > 0 && (
            <p className={css['actions']}>
              {actions.map(({ to, name }, index) => (
                <ButtonLink key={to} href={to} size="large" look={index === 0 ? 'primary' : 'secondary'}>
                  {name}
                </ButtonLink>
              ))}
            </p>
          )}
        </div>
        {children !== undefined && <div className={css['beside']}>{children}</div>}
      </div>
    </div>
  );
}

/** Section of a page with a title, as wide as the page. */
export function Section({
  id,
  title,
  lead,
  locale,
  children,
}: {
  id: string;
  title: string;
  lead?: string | undefined;
  locale: SiteLocale;
  children: ReactNode;
}): ReactNode {
  return (
    <section className={cx('wrap', css['section'])} id={id} aria-labelledby={`${id}-title`}>
      <h2 className="section-title" id={`${id}-title`}>
        {title}
      </h2>
      {lead !== undefined && (
        <p className={css['sectionLead']}>
          <Rich text={lead} locale={locale} />
        </p>
      )}
      {children}
    </section>
  );
}

/** Facts side by side, each with an icon. */
export function Facts({
  items,
  locale,
}: {
  items: readonly { readonly icon: string; readonly title: string; readonly text: string }[];
  locale: SiteLocale;
}): ReactNode {
  return (
    <ul className={css['facts']}>
      {items.map(({ icon, title, text }) => (
        <li key={title} className="card">
          <Icon name={icon as IconName} size={24} />
          <h3 className="card-title">{title}</h3>
          <Paragraphs text={text} locale={locale} />
        </li>
      ))}
    </ul>
  );
}

/** Numbered steps. */
export function Steps({
  items,
  locale,
}: {
  items: readonly { readonly title: string; readonly text: string }[];
  locale: SiteLocale;
}): ReactNode {
  return (
    <ol className={css['steps']}>
      {items.map(({ title, text }, index) => (
        <li key={title}>
          <b className="num" aria-hidden="true">
            {index + 1}
          </b>
          <div>
            <h3 className="card-title">{title}</h3>
            <Paragraphs text={text} locale={locale} />
          </div>
        </li>
      ))}
    </ol>
  );
}

/**
 * Table of figures. On small screens each row becomes a block. With `isNamed`, the first column contains the rows' names, which
 * become the blocks' titles.
 */
export function Figures({
  head,
  rows,
  note,
  isNamed = false,
}: {
  head: readonly string[];
  rows: readonly (readonly ReactNode[])[];
  note?: string | undefined;
  isNamed?: boolean;
}): ReactNode {
  return (
    <>
      <div className={cx('card', css['figures'], isNamed && css['named'])}>
        <table>
          <thead>
            <tr>
              {head.map((name) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, index) => (
              <tr key={index}>
                {row.map((cell, column) => (
                  <td key={column} data-label={head[column]}>
                    {cell}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {note !== undefined && <p className={cx('tiny mute', css['note'])}>{note}</p>}
    </>
  );
}

/** Questions, each with an answer that opens on a click. */
export function Questions({
  items,
  locale,
}: {
  items: readonly { readonly question: string; readonly answer: string }[];
  locale: SiteLocale;
}): ReactNode {
  return (
    <div className={cx('card', css['questions'])}>
      {items.map(({ question, answer }) => (
        <details key={question}>
          <summary>
            {question}
            <Icon name="caret-down" size={16} />
          </summary>
          <div>
            <Paragraphs text={answer} locale={locale} />
          </div>
        </details>
      ))}
    </div>
  );
}

/** Box at a page's end with a link to the next step. */
export function Closing({
  title,
  text,
  action,
  locale,
}: {
  title: string;
  text: string;
  action: { readonly to: string; readonly name: string };
  locale: SiteLocale;
}): ReactNode {
  return (
    <section className={cx('wrap', css['section'])}>
      <div className={css['closing']}>
        <div>
          <h2>{title}</h2>
          <Paragraphs text={text} locale={locale} />
        </div>
        <a href={action.to}>
          {action.name}
          <Icon name="arrow-right" size={20} />
        </a>
      </div>
    </section>
  );
}
