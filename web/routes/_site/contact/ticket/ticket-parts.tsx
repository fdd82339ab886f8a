import { LONGEST_MESSAGE } from '@kurs/contract/support';
import type { Output, Routes } from '@kurs/contract';
import type { ReactNode } from 'react';
import { filled } from '../../../../server/document/page-words.ts';
import type { SiteLocale } from '../../../../site.ts';
import { Button } from '../../../../ui/fields/button.tsx';
import { TextArea } from '../../../../ui/fields/text-area.tsx';
import { Message } from '../../../../ui/parts/message.tsx';
import { Pill, type PillTone } from '../../../../ui/parts/pill.tsx';
import { writeTime } from '../../../../ui/base/time.ts';
import { type ContactAnswer, Summary } from '../contact-parts.tsx';
import css from '../contact.module.css';
import type { ContactWords } from '../contact-words.ts';
import { FilesField, errorOf } from '../message-fields.tsx';

export type Ticket = Output<Routes['ticketRead']>;

export interface TicketView {
  readonly locale: SiteLocale;
  readonly words: ContactWords;
  /** Name of the exchange desk. */
  readonly name: string;
  /** Base URL of the API. */
  readonly api: string;
  readonly ticket: Ticket;
  readonly token: string;
  /** True on the page that follows the opening of the ticket. */
  readonly isNew: boolean;
  readonly answer: ContactAnswer;
  readonly key: string;
}

const TONES: Readonly<Record<Ticket['status'], PillTone>> = { waiting: 'warning', answered: 'success', closed: 'neutral' };
const ICONS = { waiting: 'hourglass-medium', answered: 'check-circle', closed: 'prohibit' } as const;

/** Ticket with all its messages, and a form to add a message. */
export function TicketPart({ view }: { view: TicketView }): ReactNode {
  const { locale, ticket, isNew, answer, key } = view;
  const { ticket: words, form, topics } = view.words;
  const { errors = {}, values = {} } = answer;
  return (
    <>
      <div className={css['top']}>
        <span className="small mute">
          {topics[ticket.topic]}
          {ticket.order !== undefined && (
            <>
              {` · ${words.about.replace('{order}', '')}`}
              <span className={css['order']}>{ticket.order}</span>
            </>
          )}
        </span>
        <Pill tone={TONES[ticket.status]} icon={ICONS[ticket.status]}>
          {words[ticket.status]}
        </Pill>
      </div>
      <h1 className="title">
        {words.head.replace('{id}', '')}
        <span className={css['number']}>{ticket.id}</span>
      </h1>
      {isNew && (
        <Message tone="success" isLive title={filled(words.sent, locale)}>
          {filled(words.sent_text, locale, { id: ticket.id })}
          <ol className={css['next']}>
            <li>{filled(words.next_mail, locale, { email: ticket.email })}</li>
            <li>{filled(words.next_answer, locale)}</li>
            <li>{filled(words.next_reply, locale)}</li>
          </ol>
        </Message>
      )}
      <Said view={view} />
      <form method="post" encType="multipart/form-data" noValidate className={`card pad ${css['form']}`}>
        <Summary words={form} locale={locale} fields={['text', 'files']} answer={answer} />
        <input type="hidden" name="key" value={key} />
        <TextArea
          name="text"
          rows={6}
          maxLength={LONGEST_MESSAGE.ticket}
          label={words.reply}
          hint={filled(ticket.status === 'closed' ? words.reply_closed : view.words.aside.never_text, locale)}
          defaultValue={values['text']}
          error={errorOf(errors, 'text')}
        />
        <FilesField words={form} locale={locale} error={errorOf(errors, 'files')} isAgain={answer.hasFiles === true} />
        <Button type="submit">{words.send}</Button>
      </form>
    </>
  );
}

function Said({ view: { locale, words, name, api, ticket, token } }: { view: TicketView }): ReactNode {
  return (
    <section aria-labelledby="said">
      <h2 className="card-title" id="said">
        {words.ticket.said}
      </h2>
      <ol className={css['said']}>
        {ticket.messages.map(({ seq, by, at, text, files }) => (
          <li key={seq} className={css[by]}>
            <p className="tiny mute">
              <b>{by === 'desk' ? filled(words.ticket.desk, locale, { name }) : words.ticket.you}</b>{' '}
              <time dateTime={at} className="num">
                {writeTime(at, locale)}
              </time>
            </p>
            <p className={css['words']}>{text}</p>
            {files.map((file) => (
              <a
                key={file.n}
                className="link small"
                download
                href={`${api}/api/v1/support/file?${new URLSearchParams({ id: ticket.id, token, n: String(file.n) })}`}
              >
                {filled(words.ticket.file, locale, { name: file.name, size: Math.max(1, Math.round(file.bytes / 1024)) })}
              </a>
            ))}
          </li>
        ))}
      </ol>
    </section>
  );
}
