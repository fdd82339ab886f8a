import type { ReactNode } from 'react';
import { Crumbs } from '../../../features/blocks/crumbs.tsx';
import { filled } from '../../../server/document/page-words.ts';
import { Rich } from '../../../server/document/rich-text.tsx';
import { type LongText, type TextVersion, writeLongDate } from '../../../server/document/texts.ts';
import type { SiteLocale } from '../../../site.ts';
import { pageUrl } from '../../pages.ts';
import type { TextName, TextWords } from './text-words.ts';
import css from './text.module.css';

export interface TextView {
  readonly page: TextName;
  readonly locale: SiteLocale;
  readonly words: TextWords;
  readonly text: LongText;
  /** All versions of the text, the newest first. */
  readonly versions: readonly TextVersion[];
  /** True if the page tells the operator that the text is a template. */
  readonly isNoted: boolean;
}

/**
 * Long text with numbered clauses that can be linked, its table of contents, and the list of its versions. Rendered on the server
 * only.
 */
export function Written({ view }: { view: TextView }): ReactNode {
  const { page, locale, words, text, versions, isNoted } = view;
  const newest = versions[0] ?? text;
  const dated = ({ version, date }: TextVersion): string =>
    filled(words.version, locale, { version, date: writeLongDate(date, locale) });
  const old = {
    version: text.version,
    newest: newest.version,
    date: writeLongDate(newest.date, locale),
  };
  return (
    <>
      <header>
        <Crumbs name={text.title} locale={locale} />
        <h1>{text.title}</h1>
        <p>{dated(text)}</p>
        {text.version !== newest.version && (
          <Note title={words.old.title}>
            {filled(words.old.text, locale, old)}{' '}
            <a className="link" href={pageUrl(locale, page)}>
              {filled(words.old.link, locale, old)}
            </a>
          </Note>
        )}
        {isNoted && (
          <Note title={words.operator.title}>
            <Rich text={filled(words.operator.text, locale)} locale={locale} />
          </Note>
        )}
      </header>
      <nav aria-label={words.contents}>
        <b>{words.contents}</b>
        <ol>
          {text.sections.map(({ id, title }) => (
            <li key={id}>
              <a href={`#${id}`}>{title}</a>
            </li>
          ))}
        </ol>
      </nav>
      <article>
        {text.sections.map((section, index) => (
          <Section key={section.id} section={section} number={index + 1} locale={locale} short={words.short} />
        ))}
        <section id="versions">
          <h2>{words.versions.title}</h2>
          <ul className={css['versions']}>
            {versions.map((one) => (
              <li key={one.version}>
                <a href={pageUrl(locale, page, one === newest ? {} : { version: String(one.version) })}>{dated(one)}</a>
                {one === newest && <span>{words.versions.current}</span>}
                {one.version === text.version && one !== newest && <span>{words.versions.this}</span>}
                {/* Changes are shown only for the newest and the shown version. Each other version shows its changes on its
                    own page. */}
                {(one === newest || one.version === text.version) && <p>{filled(one.changes, locale)}</p>}
              </li>
            ))}
          </ul>
          <p className={css['print']}>{words.print}</p>
        </section>
      </article>
    </>
  );
}

/** Note about the text. It is not part of the text. */
function Note({ title, children }: { title: string; children: ReactNode }): ReactNode {
  return (
    <div className={css['note']}>
      <b>{title}</b> {children}
    </div>
  );
}

function Section({
  section: { id, title, summary, clauses },
  number,
  locale,
  short,
}: {
  section: LongText['sections'][number];
  number: number;
  locale: SiteLocale;
  short: string;
}): ReactNode {
  return (
    <section id={id}>
      <h2>
        <span className="num">{number}</span>
        {` ${title}`}
      </h2>
      {summary !== undefined && (
        <p className={css['short']}>
          <b>{`${short}: `}</b>
          <Rich text={summary} locale={locale} />
        </p>
      )}
      {clauses.map(({ text, points }, index) => {
        const clause = `${id}-${index + 1}`;
        return (
          <div key={clause} id={clause} className={css['clause']}>
            <a className="num" href={`#${clause}`}>
              {`${number}.${index + 1}`}
            </a>
            <div>
              <p>
                <Rich text={text} locale={locale} />
              </p>
              {points.length > 0 && (
                <ul>
                  {points.map((point) => (
                    <li key={point}>
                      <Rich text={point} locale={locale} />
                    </li>
                  ))}
                </ul>
              )}
            </div>
          </div>
        );
      })}
    </section>
  );
}
