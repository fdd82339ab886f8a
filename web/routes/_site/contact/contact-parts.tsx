import { LONGEST_MESSAGE } from '@kurs/contract/support';
import type { ReactNode } from 'react';
import { Crumbs } from '../../../features/blocks/crumbs.tsx';
import { filled } from '../../../server/document/page-words.ts';
import { Paragraphs, Rich } from '../../../server/document/rich-text.tsx';
import type { SiteConfig, SiteLocale } from '../../../site.ts';
import { Button } from '../../../ui/fields/button.tsx';
import { Field, fieldId } from '../../../ui/fields/field.tsx';
import { TextArea } from '../../../ui/fields/text-area.tsx';
import { Message } from '../../../ui/parts/message.tsx';
import css from './contact.module.css';
import type { ContactWords } from './contact-words.ts';
import { type Errors, FilesField, TopicField, errorOf } from './message-fields.tsx';

/** Result of a submitted form that did not lead to another page. */
export interface ContactAnswer {
  readonly errors?: Errors;
  readonly values?: Readonly<Record<string, string>>;
  readonly message?: string;
  readonly hasFiles?: boolean;
  /** Amount of proof of work that the server requires, for `/bot/challenge`. Present if the proof in the form was not enough. */
  readonly work?: number;
  /**
   * Set if the ticket is opened only after a mailed confirmation link is clicked. `email` is the address to which it was mailed.
   */
  readonly mailed?: { readonly id: string; readonly email: string };
}

export interface ContactView {
  readonly locale: SiteLocale;
  readonly words: ContactWords;
  readonly config: SiteConfig;
  readonly topics: readonly string[];
  readonly medianMinutes: number | undefined;
  readonly answer: ContactAnswer;
  /** Order number in the link by which the visitor came. */
  readonly order: string;
  /** Topic in the link by which the visitor came. */
  readonly topic: string;
  /** Idempotency key, new for each rendered form, so that submitting a form twice opens one ticket. */
  readonly key: string;
  /** True if the browser has to solve a robot check. */
  readonly isChecked: boolean;
}

/** Contact form, with other ways to get help beside it. */
export function Contact({ view }: { view: ContactView }): ReactNode {
  const { locale, words, answer } = view;
  return (
    <>
      <Crumbs name={filled(words.title, locale)} locale={locale} />
      <h1 className="title">{words.title}</h1>
      <p className={css['lead']}>
        <Rich text={filled(words.lead, locale)} locale={locale} />
      </p>
      <div className={css['columns']}>
        {answer.mailed ? (
          <Message tone="success" isLive title={filled(words.mailed.title, locale)}>
            {filled(words.mailed.text, locale, answer.mailed)}
          </Message>
        ) : (
          <ContactForm view={view} />
        )}
        <Beside view={view} />
      </div>
    </>
  );
}

function ContactForm({ view }: { view: ContactView }): ReactNode {
  const { locale, topics, answer, key, isChecked } = view;
  const { form: words, topics: names } = view.words;
  const { errors = {}, values = {} } = answer;
  const said = (name: string): string | undefined => errorOf(errors, name);
  return (
    <form
      method="post"
      encType="multipart/form-data"
      noValidate
      className={`card pad ${css['form']}`}
      data-check={isChecked || undefined}
      data-work={answer.work}
    >
      <Summary words={words} locale={locale} fields={['order', 'topic', 'text', 'files', 'email']} answer={answer} />
      <input type="hidden" name="key" value={key} />
      <input type="hidden" name="bot_token" value="" />
      <Field
        name="order"
        label={words.order}
        hint={filled(words.order_hint, locale)}
        autoCapitalize="characters"
        maxLength={20}
        defaultValue={values['order'] ?? view.order}
        error={said('order')}
      />
      <TopicField words={words} chosen={values['topic'] ?? view.topic} error={said('topic')}>
        {topics.map((topic) => (
          <option key={topic} value={topic}>
            {names[topic as keyof typeof names]}
          </option>
        ))}
      </TopicField>
      <TextArea
        name="text"
        rows={6}
        maxLength={LONGEST_MESSAGE.ticket}
        label={words.text}
        hint={filled(words.text_hint, locale)}
        defaultValue={values['text']}
        error={said('text')}
      />
      <FilesField words={words} locale={locale} error={said('files')} isAgain={answer.hasFiles === true} />
      <Field
        name="email"
        type="email"
        inputMode="email"
        autoComplete="email"
        label={words.email}
        hint={filled(words.email_hint, locale)}
        maxLength={254}
        defaultValue={values['email']}
        error={said('email')}
      />
      {isChecked && (
        <>
          <div className={css['check']} data-place="" />
          <noscript>
            <p className="small soft">{filled(words.noscript, locale)}</p>
          </noscript>
        </>
      )}
      <Button type="submit" size="large">
        {words.send}
      </Button>
    </form>
  );
}

/** Lists a form's errors with links to their fields. If no field is wrong, shows the general message. */
export function Summary({
  words,
  locale,
  fields,
  answer: { errors = {}, message },
}: {
  words: ContactWords['form'];
  locale: SiteLocale;
  /** Names of the form's fields. Errors of other fields get no link. */
  fields: readonly string[];
  answer: ContactAnswer;
}): ReactNode {
  const wrong = Object.entries(errors);
  if (wrong.length === 0 && message === undefined) return null;
  return (
    <div className={css['summary']}>
      <Message tone="error" isLive title={wrong.length === 0 ? message : filled(words.check, locale, { count: wrong.length })}>
        {wrong.length > 0 && (
          <ul>
            {wrong.map(([name, [said]]) => {
              const field = name.split('.')[0] ?? name;
              return (
                <li key={name}>
                  {fields.includes(field) ? (
                    <a className="link" href={`#${fieldId(field)}`}>
                      {said}
                    </a>
                  ) : (
                    said
                  )}
                </li>
              );
            })}
          </ul>
        )}
      </Message>
    </div>
  );
}

const MAX_MINUTES = 90;

function Beside({ view: { locale, words, config, medianMinutes } }: { view: ContactView }): ReactNode {
  const { aside } = words;
  const { supportHours, contacts } = config;
  const links = [
    ...(contacts?.email === undefined ? [] : [{ name: contacts.email, url: `mailto:${contacts.email}` }]),
    ...(contacts?.links ?? []),
  ];
  return (
    <aside className={css['aside']}>
      <section>
        <h2 className="card-title">{aside.hours}</h2>
        <p>{supportHours ? filled(aside.hours_text, locale, supportHours) : filled(aside.hours_unknown, locale)}</p>
        {medianMinutes !== undefined && (
          <p>
            {medianMinutes <= MAX_MINUTES
              ? filled(aside.median, locale, { minutes: medianMinutes })
              : filled(aside.median_hours, locale, { hours: Math.ceil(medianMinutes / 60) })}
          </p>
        )}
      </section>
      {links.length > 0 && (
        <section>
          <h2 className="card-title">{aside.channels}</h2>
          <ul>
            {links.map(({ name, url }) => (
              <li key={url}>
                <a className="link" href={url} rel="noopener">
                  {name}
                </a>
              </li>
            ))}
          </ul>
        </section>
      )}
      <section>
        <h2 className="card-title">{aside.never}</h2>
        <p>{filled(aside.never_text, locale)}</p>
      </section>
      <section>
        <h2 className="card-title">{aside.answers}</h2>
        <Paragraphs text={filled(aside.answers_text, locale)} locale={locale} />
      </section>
    </aside>
  );
}
