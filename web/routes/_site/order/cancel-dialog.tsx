import type { ReactNode } from 'react';
import type { Form } from 'react-router';
import { m } from '../../../features/words.ts';
import { Button } from '../../../ui/fields/button.tsx';
import { Dialog } from '../../../ui/parts/dialog.tsx';
import css from './order.module.css';

/**
 * Dialog that asks before an order is cancelled. Its code is loaded on demand. `Form` is passed by the page for the reason given
 * at `DrawnProps`.
 */
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
