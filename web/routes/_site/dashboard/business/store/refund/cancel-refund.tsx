import type { ReactNode } from 'react';
import { Form, useNavigation } from 'react-router';
import { m } from '../../../../../../features/words.ts';
import { Button } from '../../../../../../ui/fields/button.tsx';
import css from '../invoice/invoice.module.css';
import type { StoreRefundData } from './page.server.ts';

/** Opens the form that cancels a refund. Absent if nothing is unclaimed, or the role lacks the permission. */
export function CancelRefund({ data: { refund, store } }: { data: StoreRefundData }): ReactNode {
  const busy = useNavigation().formData?.get('intent') === 'cancel';
  if (refund.left.length === 0 || !store.permissions.includes('refunds.create')) return null;
  return (
    <details className={css['cancel']}>
      <summary>{m.refunds_cancel()}</summary>
      <Form method="post" preventScrollReset>
        <input type="hidden" name="intent" value="cancel" />
        <p className="small soft">{m.refunds_cancel_lead()}</p>
        <Button type="submit" look="danger" size="small" busy={busy && m.account_saving()}>
          {m.refunds_cancel_sure({ number: refund.number })}
        </Button>
      </Form>
    </details>
  );
}
