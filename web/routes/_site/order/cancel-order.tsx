import { type ReactNode, Suspense, lazy, useState } from 'react';
import { Form } from 'react-router';
import { m } from '../../../features/words.ts';
import { Button } from '../../../ui/fields/button.tsx';
import { useHydrated } from '../../../ui/base/clock.ts';

const CancelDialog = lazy(async () => ({ default: (await import('./cancel-dialog.tsx')).CancelDialog }));

/**
 * Button that cancels the order after the customer has confirmed that they sent nothing. Without JavaScript it cancels
 * immediately.
 */
export function CancelOrder({ isBusy }: { isBusy: boolean }): ReactNode {
  const [request, setRequested] = useState(false);
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
      <Button look="quiet" size="small" busy={isBusy && m.order_cancelling()} onClick={() => setRequested(true)}>
        {m.order_cancel()}
      </Button>
      {request && (
        <Suspense fallback={null}>
          <CancelDialog Form={Form} onClose={() => setRequested(false)} />
        </Suspense>
      )}
    </>
  );
}
