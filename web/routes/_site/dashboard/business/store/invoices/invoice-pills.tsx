import type { ReactNode } from 'react';
import { m } from '../../../../../../features/words.ts';
import { Chip, Pill } from '../../../../../../ui/parts/pill.tsx';
import { type InvoiceState, MARK_WORDS, type Mark, PAYMENT_LOOKS, type PaymentStatus, STATE_LOOKS } from './invoice-words.ts';

/** Shows the state of an invoice. */
export function InvoicePill({ state }: { state: InvoiceState }): ReactNode {
  const { tone, icon, word } = STATE_LOOKS[state];
  return (
    <Pill tone={tone} icon={icon}>
      {word()}
    </Pill>
  );
}

/** Shows what the store marked an invoice as. */
export function MarkPill({ mark }: { mark: Mark }): ReactNode {
  return (
    <Pill tone={mark === 'settled' ? 'success' : 'error'} icon="clipboard-text">
      {MARK_WORDS[mark]()}
    </Pill>
  );
}

/** Says that the store's list hides an invoice. */
export function ArchivedChip(): ReactNode {
  return <Chip>{m.invoices_archived()}</Chip>;
}

/** Shows the status of a payment to an invoice. */
export function PaymentPill({ status }: { status: PaymentStatus }): ReactNode {
  const { tone, icon, word } = PAYMENT_LOOKS[status];
  return (
    <Pill tone={tone} icon={icon}>
      {word()}
    </Pill>
  );
}

/** Marks an invoice of a test store. */
export function TestPill(): ReactNode {
  return (
    <Pill tone="iris" icon="circle-dashed">
      {m.store_test_badge()}
    </Pill>
  );
}
