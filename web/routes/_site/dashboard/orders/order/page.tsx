import { type ReactNode, Suspense, lazy } from 'react';
import { useLoaderData } from 'react-router';
import { m } from '../../../../../features/words.ts';
import { type Closed, isClosed } from '../../../../closed.ts';
import type { OrderData } from '../../../order/page.server.ts';
import orderCss from '../../../order/order.module.css';
import css from './order.module.css';
import { PrintHead } from '../print-head.tsx';
import { BackLink } from '../../back-link.tsx';
import { Skeleton } from '../../frame/skeleton.tsx';

// The page shows nothing before the session's data is loaded. So the page's code is loaded on demand, at the same time as the
// data. The code of cards and choices is loaded together with the page's code. Otherwise cards and choices would appear later and
// push the content down.
const OrderContent = lazy(async () => {
  const [
    { OrderContent: Content, LazyCardsProvider: LateCardsProvider, LazyChoicesProvider: LateChoicesProvider },
    { ProviderCards },
    { Choices },
  ] = await Promise.all([
    import('../../../order/page.tsx'),
    import('../../../order/provider-cards.tsx'),
    import('../../../order/choices/choices.tsx'),
  ]);
  return {
    default: ({ data }: { data: OrderData }): ReactNode => (
      <LateCardsProvider value={ProviderCards}>
        <LateChoicesProvider value={Choices}>
          <Content data={data} />
        </LateChoicesProvider>
      </LateCardsProvider>
    ),
  };
});

/** Page of one of the account's orders, with the same content and live updates as the order's public page. */
export default function OwnOrderPage(): ReactNode {
  const data = useLoaderData<OrderData | Closed>();
  return (
    <>
      <BackLink to="orders">{m.orders_back()}</BackLink>
      {isClosed(data) ? (
        <>
          <h1 className="sr">{data.head.title}</h1>
          <Skeleton rows={6} />
        </>
      ) : (
        <Suspense fallback={<Skeleton rows={6} />}>
          <PrintHead title={m.order_number({ id: data.order.id })} now={data.now} />
          <div className={`${orderCss['grid']} ${css['grid']}`}>
            <OrderContent key={data.order.id} data={data} />
          </div>
        </Suspense>
      )}
    </>
  );
}
