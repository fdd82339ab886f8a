import type { Receipt } from '@kurs/contract/receipt';
import type { ReactNode } from 'react';
import { pageUrl } from '../../routes/pages.ts';
import { ButtonLink } from '../../ui/fields/button.tsx';
import { Icon } from '../../ui/base/icon.tsx';
import { useSite } from '../site.ts';
import { m } from '../words.ts';
import { receiptFile } from './receipt-file.ts';
import css from './receipt-row.module.css';

/** Row about the signed receipt: its meaning, a link to the page that checks receipts, and a link that saves the receipt. */
export function ReceiptRow({ id, receipt }: { id: string; receipt: Receipt }): ReactNode {
  const { href, name } = receiptFile(id, receipt);
  return (
    <div className={css['row']}>
      <Icon name="receipt" />
      <span>
        <b>{m.signed_receipt()}</b>
        <span className="tiny mute">
          {m.signed_receipt_text()}{' '}
          <a className="link" href={pageUrl(useSite().locale, 'verify')}>
            {m.signed_receipt_check()}
          </a>
        </span>
      </span>
      <ButtonLink look="secondary" size="small" href={href} download={name} aria-label={`${m.signed_receipt_save()} ${name}`}>
        {m.signed_receipt_save()}
      </ButtonLink>
    </div>
  );
}
