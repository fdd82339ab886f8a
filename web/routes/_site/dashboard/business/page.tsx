import type { ReactNode } from 'react';
import { useLoaderData } from 'react-router';
import { m } from '../../../../features/words.ts';
import { type Closed, isClosed } from '../../../closed.ts';
import { Skeleton } from '../frame/skeleton.tsx';
import { Application } from './application.tsx';
import css from './business.module.css';
import { Invitations } from './invitations.tsx';
import { Kinds } from './kinds.tsx';
import { Overview } from './overview.tsx';
import { NewStore } from './new-store.tsx';
import type { BusinessData } from './page.server.ts';
import { StoreList } from './store-list.tsx';

/** Page of the account's business: its application, stores, and open invitations to stores of others. */
export default function BusinessPage(): ReactNode {
  const data = useLoaderData<BusinessData | Closed>();
  return (
    <>
      <div className={css['head']}>
        <h1 className="title">{m.dashboard_business()}</h1>
        <p className="soft">{m.business_lead()}</p>
      </div>
      {isClosed(data) ? <Skeleton rows={6} /> : <Parts data={data} />}
    </>
  );
}

function Parts({ data }: { data: BusinessData }): ReactNode {
  const { business, stores, overview } = data;
  const kinds = !business && <Kinds makeable={stores.makeable} own={stores.stores} />;
  const hasStores = stores.stores.length > 0;
  return (
    <div className={css['stack']}>
      <Invitations invitations={stores.invitations} />
      {business && <Application business={business} level={data.level} levelNeeded={data.level_needed} />}
      {!hasStores && kinds}
      {overview && <Overview overview={overview} stores={stores.stores} />}
      <StoreList stores={stores.stores} />
      {data.kind !== undefined && (
        <NewStore
          key={data.kind}
          {...{ stores, kind: data.kind }}
          formKey={data.key}
          isMain={business?.state === 'approved' && stores.invitations.length === 0}
        />
      )}
      {hasStores && kinds}
    </div>
  );
}
