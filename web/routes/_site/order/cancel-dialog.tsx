import type { ReactNode } from 'react';
import type { Form } from 'react-router';
import { m } from '../../../features/words.ts';
import { Button } from '../../../ui/fields/button.tsx';
import { Dialog } from '../../../ui/parts/dialog.tsx';
import css from './order.module.css';

/** Dialog before an order is cancelled. It is loaded on demand; the form component comes from the page (see DrawnProps). */
export function CancelDialog({ Form: Posted, onClose }: { Form: typeof Form; onClose: () => void }): ReactNode {
  return (
    <Dialog isOpen onClose={onClose} title={m.cancel_title()} closeLabel={m.close()}>
      <p className="soft">{m.cancel_text()}</p>
      <Posted method="post" className={css['confirm']} onSubmit={onClose}>
        <Button look="secondary" onClick={onClose} data-focus>
          {m.cancel_keep()}
        </Button>
        <Button type="submit" name="intent" value="cancel" look="danger">
          {m.cancel_confirm()}
        </Button>
      </Posted>
    </Dialog>
  );
}
