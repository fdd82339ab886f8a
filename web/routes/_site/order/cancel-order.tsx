import { type ReactNode, useState } from 'react';
import { Form } from 'react-router';
import { m } from '../../../features/words.ts';
import { Button } from '../../../ui/button.tsx';
import { useHydrated } from '../../../ui/clock.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import css from './order.module.css';

/** Cancels the order, once the customer has said that nothing was sent. Where no script runs it is one button. */
export function CancelOrder({ busy }: { busy: boolean }): ReactNode {
  const [asked, setAsked] = useState(false);
  const hydrated = useHydrated();
  if (!hydrated) {
    return (
      <Form method="post">
        <Button type="submit" name="intent" value="cancel" look="quiet" size="small">
          {m.order_cancel()}
        </Button>
      </Form>
    );
  }
  return (
    <>
      <Button look="quiet" size="small" busy={busy && m.order_cancelling()} onClick={() => setAsked(true)}>
        {m.order_cancel()}
      </Button>
      <Dialog open={asked} onClose={() => setAsked(false)} title={m.cancel_title()} closeLabel={m.close()}>
        <p className="soft">{m.cancel_text()}</p>
        <Form method="post" className={css['confirm']} onSubmit={() => setAsked(false)}>
          <Button look="secondary" onClick={() => setAsked(false)} data-focus>
            {m.cancel_keep()}
          </Button>
          <Button type="submit" name="intent" value="cancel" look="danger">
            {m.cancel_confirm()}
          </Button>
        </Form>
      </Dialog>
    </>
  );
}
