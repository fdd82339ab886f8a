import type { ReactNode } from 'react';
import { Crumbs } from '../../../features/blocks/crumbs.tsx';
import { filled } from '../../../server/document/page-words.ts';
import { Paragraphs, Rich } from '../../../server/document/rich-text.tsx';
import type { SiteLocale } from '../../../site.ts';
import { Button, ButtonLink } from '../../../ui/fields/button.tsx';
import { cx } from '../../../ui/base/cx.ts';
import { Icon } from '../../../ui/base/icon.tsx';
import { pageUrl } from '../../pages.ts';
import { ANSWER_LINK } from './answer-links.ts';
import type { FaqWords } from './faq-words.ts';
import css from './faq.module.css';

export interface FaqView {
  readonly locale: SiteLocale;
  readonly words: FaqWords;
  readonly groups: FaqWords['groups'];
  /** Search text; empty if all questions are shown. */
  readonly query: string;
}

/** Body of the page: questions and answers with a search. Rendered on the server only. */
export function Answers({ view }: { view: FaqView }): ReactNode {
  const { locale, words, groups, query } = view;
  return (
    <>
      <Head view={view} />
      <template id={ANSWER_LINK}>
        <a className={css['anchor']} href={pageUrl(locale, 'faq')}>
          <Icon name="link-simple" size={16} />
          {words.link}
        </a>
      </template>
      <div className={css['columns']}>
        {query === '' && (
          <nav className={css['contents']} aria-label={words.contents}>
            {groups.map(({ id, title }) => (
              <a key={id} href={`#${id}`}>
                {title}
              </a>
            ))}
          </nav>
        )}
        <div className={css['groups']}>
          {groups.map((group) => (
            <Group key={group.id} group={group} locale={locale} isOpen={query !== ''} />
          ))}
          <MoreHelp words={words.more} locale={locale} />
        </div>
      </div>
    </>
  );
}

/** Head of the page: title, search field and, after a search, the number of answers found. */
function Head({ view: { locale, words, groups, query } }: { view: FaqView }): ReactNode {
  const count = groups.reduce((sum, { questions }) => sum + questions.length, 0);
  return (
    <header className={css['head']}>
      <Crumbs name={words.title} locale={locale} />
      <h1 className="title">{words.title}</h1>
      <p className={css['lead']}>
        <Rich text={filled(words.lead, locale)} locale={locale} />
      </p>
      <search>
        <form className={css['search']} action={pageUrl(locale, 'faq')}>
          <Icon name="magnifying-glass" />
          <input
            type="search"
            name="q"
            defaultValue={query}
            maxLength={60}
            aria-label={words.search.label}
            placeholder={words.search.label}
          />
          <Button type="submit" look="secondary" size="small">
            {words.search.go}
          </Button>
        </form>
      </search>
      {query !== '' && (
        <p className={css['found']}>
          {filled(count === 0 ? words.search.none : words.search.found, locale, { q: query, count })}{' '}
          <a className="link" href={pageUrl(locale, 'faq')}>
            {words.search.all}
          </a>
        </p>
      )}
    </header>
  );
}

function Group({ group, locale, isOpen }: { group: FaqWords['groups'][number]; locale: SiteLocale; isOpen: boolean }): ReactNode {
  return (
    <section id={group.id} aria-labelledby={`${group.id}-title`}>
      <h2 id={`${group.id}-title`}>{group.title}</h2>
      <div className="card">
        {group.questions.map(({ id, question, answer }) => (
          <details key={id} id={id} open={isOpen}>
            <summary>{question}</summary>
            <div className={css['answer']}>
              <Paragraphs text={answer} locale={locale} />
            </div>
          </details>
        ))}
      </div>
    </section>
  );
}

/** Links for readers who found no answer: to the page that finds an order, and to the contact form. */
function MoreHelp({ words, locale }: { words: FaqWords['more']; locale: SiteLocale }): ReactNode {
  return (
    <aside className={cx('card pad', css['more'])}>
      <div>
        <h2 className="card-title">{words.title}</h2>
        <p className="soft">{words.text}</p>
      </div>
      <p className={css['ways']}>
        <ButtonLink href={pageUrl(locale, 'track')} look="secondary">
          {words.order}
        </ButtonLink>
        <ButtonLink href={pageUrl(locale, 'contact')} look="secondary">
          {words.write}
        </ButtonLink>
      </p>
    </aside>
  );
}
