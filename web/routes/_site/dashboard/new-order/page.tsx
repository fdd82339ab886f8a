import { type ReactNode, Suspense, lazy } from 'react';
import { useLoaderData } from 'react-router';
import { m } from '../../../../features/words.ts';
import { type Closed, isClosed } from '../../../closed.ts';
import css from '../frame/frame.module.css';
import type { NewOrderData } from './page.server.ts';
import { Skeleton } from '../frame/skeleton.tsx';

// The steps show nothing before the session's data is loaded. So their code is loaded on demand, at the same time as the data.
const FirstStep = lazy(async () => ({ default: (await import('./first-step.tsx')).FirstStep }));
const ConfirmPaying = lazy(async () => ({ default: (await import('./confirm-paying.tsx')).ConfirmPaying }));
const ExchangePage = lazy(() => import('../../exchange/page.tsx'));

const confirmPaying = (about: string): ReactNode => <ConfirmPaying about={about} />;

/** Exchange in three steps, inside the dashboard. */
export default function NewOrderPage(): ReactNode {
  const data = useLoaderData<NewOrderData | Closed | { step: 'details' | 'check' | 'review' | 'over' }>();
  const begins = isClosed(data) || data.step === 'calculator';
  return (
    <>
      {begins && <h1 className={`title ${css['heading']}`}>{m.dashboard_new()}</h1>}
      <Suspense fallback={<Skeleton rows={6} />}>
        {isClosed(data) ? (
          <Skeleton rows={6} />
        ) : data.step === 'calculator' ? (
          <FirstStep data={data} />
        ) : (
          <div className={css['flow']}>
            <ExchangePage confirm={confirmPaying} />
          </div>
        )}
      </Suspense>
    </>
  );
}
