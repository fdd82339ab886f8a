import type { ReactNode } from 'react';
import { useSite } from '../../../../../features/site.ts';
import { m } from '../../../../../features/words.ts';
import { cx } from '../../../../../ui/base/cx.ts';
import orders from '../../orders/orders.module.css';
import { BackLink } from '../../back-link.tsx';
import { Skeleton } from '../../frame/skeleton.tsx';
import { type Closed, isClosed } from '../../../../closed.ts';
import { StorePills } from '../store-pills.tsx';
import { type StoreTab, tabUrl, tabsOf } from '../store-tabs.ts';
import type { StoreData } from './own-store.ts';
import { showCurrent } from '../../show-current.ts';
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
  return (
    <>
      <BackLink to="business">{m.dashboard_business()}</BackLink>
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
        <nav ref={showCurrent} className={cx(orders['groups'], css['tabs'])} aria-label={m.store_tabs()}>
          {tabs.map((tab) => (
            <a key={tab.page} href={tabUrl(locale, tab.page, store.id)} aria-current={tab.page === page ? 'page' : undefined}>
              {tab.word()}
            </a>
          ))}
        </nav>
      )}
    </>
  );
}
