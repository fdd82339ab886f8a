import type { ReactNode } from 'react';
import { Form, useNavigation } from 'react-router';
import { m } from '../../../../../../features/words.ts';
import { cx } from '../../../../../../ui/base/cx.ts';
import { Button } from '../../../../../../ui/fields/button.tsx';
import { Message } from '../../../../../../ui/parts/message.tsx';
import { useAnswer } from '../../use-answer.ts';
import type { Invoice } from '../invoices/invoice-words.ts';
import css from './invoice.module.css';
import type { InvoiceData } from './page.server.ts';

const MARKS = {
  settled: () => m.invoices_mark_settled(),
  invalid: () => m.invoices_mark_invalid(),
} as const;
type Mark = keyof typeof MARKS;

/** Returns the marks that an invoice may get now: money is never overruled, and what ended unpaid needs no mark as invalid. */
function openMarks({ state, mark }: Invoice): Mark[] {
  if (state === 'settled') return [];
  const marks: Mark[] = state === 'cancelled' || state === 'invalid' ? ['settled'] : ['settled', 'invalid'];
  return marks.filter((one) => one !== mark);
}

/** Opens the forms that mark the invoice. Absent if there is no mark for it, or the role lacks the permission. */
export function MarkForms({ data: { invoice, store } }: { data: InvoiceData }): ReactNode {
  const sent = useNavigation().formData;
  const marks = openMarks(invoice);
  if (marks.length === 0 || !store.permissions.includes('invoices.manage')) return null;
  return (
    <details className={cx(css['cancel'], css['mark'])}>
      <summary>{m.invoices_mark()}</summary>
      <Form method="post" preventScrollReset>
        <input type="hidden" name="intent" value="mark" />
        <p className="small soft">{m.invoices_mark_lead()}</p>
        {marks.includes('invalid') && invoice.state === 'open' && <p className="small soft">{m.invoices_mark_invalid_ends()}</p>}
        <div className={css['marks']}>
          {marks.map((one) => (
            <Button
              key={one}
              type="submit"
              name="as"
              value={one}
              look={one === 'invalid' ? 'danger' : 'secondary'}
              size="small"
              busy={sent?.get('intent') === 'mark' && sent.get('as') === one && m.account_saving()}
            >
              {MARKS[one]()}
            </Button>
          ))}
        </div>
      </Form>
    </details>
  );
}

const UNFINISHED: ReadonlySet<Invoice['state']> = new Set(['open', 'confirming', 'short']);

/** Moves the invoice to the archive, or back. Absent until it is settled or has ended, or if the role lacks the permission. */
export function ArchiveForm({ data: { invoice, store } }: { data: InvoiceData }): ReactNode {
  const sent = useNavigation().formData?.get('intent');
  if (UNFINISHED.has(invoice.state) || !store.permissions.includes('invoices.manage')) return null;
  const intent = invoice.archived ? 'unarchive' : 'archive';
  return (
    <Form method="post" preventScrollReset>
      <input type="hidden" name="intent" value={intent} />
      <Button type="submit" look="secondary" size="small" busy={sent === intent && m.account_saving()}>
        {invoice.archived ? m.invoices_archive_back() : m.invoices_archive()}
      </Button>
    </Form>
  );
}

const DONE: Readonly<Record<string, () => string>> = {
  cancel: () => m.invoices_cancel_done(),
  mark: () => m.invoices_mark_done(),
  archive: () => m.invoices_archive_done(),
  unarchive: () => m.invoices_archive_undone(),
  accept: () => m.invoices_accept_done(),
  give_back: () => m.invoices_give_back_done(),
};

/** Result of the last of the page's forms. */
export function Result(): ReactNode {
  return Object.keys(DONE).map((intent) => <ResultOf key={intent} intent={intent} />);
}

function ResultOf({ intent }: { intent: string }): ReactNode {
  const answer = useAnswer(intent);
  if (!answer) return null;
  if (answer.message !== undefined) return <Message tone="error" isLive title={answer.message} />;
  return <Message tone="success" isLive title={DONE[intent]?.()} />;
}
