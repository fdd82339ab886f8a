import type { ReactNode } from 'react';
import { useSite } from '../../../../../features/site.ts';
import { m } from '../../../../../features/words.ts';
import { cx } from '../../../../../ui/base/cx.ts';
import { Icon } from '../../../../../ui/base/icon.tsx';
import { pageUrl } from '../../../../pages.ts';
import orders from '../../orders/orders.module.css';
import orderCss from '../../orders/order/order.module.css';
import { Skeleton } from '../../frame/skeleton.tsx';
import { type Closed, isClosed } from '../../../../closed.ts';
import { StorePills } from '../store-pills.tsx';
import { type StoreTab, tabsOf } from '../store-tabs.ts';
import type { StoreData } from './own-store.ts';
import css from './store.module.css';

/** Frame of a store's pages: the way back, the store's name and kind, and tabs. Shows a skeleton until the data is loaded. */
export function StorePage<Data extends StoreData>({
  page,
  data,
  children,
}: {
  page: StoreTab['page'];
  data: Data | Closed;
  children: (data: Data) => ReactNode;
}): ReactNode {
  const { locale } = useSite();
  return (
    <>
      <a className={orderCss['back']} href={pageUrl(locale, 'business')}>
        <Icon name="arrow-left" size={16} />
        {m.dashboard_business()}
      </a>
      {isClosed(data) ? (
        <>
          <h1 className="sr">{data.head.title}</h1>
          <Skeleton rows={6} />
        </>
      ) : (
        <>
          <StoreHead page={page} data={data} />
          {children(data)}
        </>
      )}
    </>
  );
}

function StoreHead({ page, data: { store } }: { page: StoreTab['page']; data: StoreData }): ReactNode {
  const { locale } = useSite();
  const tabs = tabsOf(store);
  return (
    <>
      <div className={css['head']}>
        <h1 className="title">{store.name}</h1>
        <span className={css['pills']}>
          <StorePills store={store} />
        </span>
      </div>
      {tabs.length > 1 && (
        <nav className={cx(orders['groups'], css['tabs'])} aria-label={m.store_tabs()}>
          {tabs.map((tab) => (
            <a
              key={tab.page}
              href={pageUrl(locale, tab.page, { id: store.id })}
              aria-current={tab.page === page ? 'page' : undefined}
            >
              {tab.word()}
            </a>
          ))}
        </nav>
      )}
    </>
  );
}
