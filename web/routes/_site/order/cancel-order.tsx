import { type ReactNode, Suspense, lazy, useState } from 'react';
import { Form } from 'react-router';
import { m } from '../../../features/words.ts';
import { Button } from '../../../ui/fields/button.tsx';
import { useHydrated } from '../../../ui/base/clock.ts';

const CancelDialog = lazy(async () => ({ default: (await import('./cancel-dialog.tsx')).CancelDialog }));

/** Cancels the order once the customer confirms that nothing was sent. Without JavaScript it is a single button. */
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
      {asked && (
        <Suspense fallback={null}>
          <CancelDialog Form={Form} onClose={() => setAsked(false)} />
        </Suspense>
      )}
    </>
  );
}
