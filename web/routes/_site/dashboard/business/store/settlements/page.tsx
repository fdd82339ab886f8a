import type { ReactNode } from 'react';
import { useLoaderData } from 'react-router';
import { m } from '../../../../../../features/words.ts';
import { Message } from '../../../../../../ui/parts/message.tsx';
import type { Closed } from '../../../../../closed.ts';
import store from '../store.module.css';
import { StorePage } from '../store-head.tsx';
import { useStoreTime } from '../invoices/store-times.ts';
import { BalanceCard } from './balance-card.tsx';
import { DailyCard } from './daily-card.tsx';
import { MovesCard } from './moves-card.tsx';
import type { SettlementsData } from './page.server.ts';
import { ReserveCard } from './reserve-card.tsx';
import { SettledCard } from './settled-card.tsx';

/** Balance of a store: what can be moved to the owner's wallet, why the rest waits, the reserve, and the moves so far. */
export default function StoreSettlementsPage(): ReactNode {
  const data = useLoaderData<SettlementsData | Closed>();
  return (
    <StorePage page="storeSettlements" data={data}>
      {(own) => (
        <div className={store['stack']}>
          <Stopped data={own} />
          <BalanceCard data={own} />
          <ReserveCard data={own} />
          {own.store.kind === 'business' && <DailyCard data={own} />}
          <SettledCard days={own.balance.days} />
          <MovesCard data={own} />
        </div>
      )}
    </StorePage>
  );
}

/** Says why nothing leaves the store now, and what ends that. */
function Stopped({ data: { store: own, balance } }: { data: SettlementsData }): ReactNode {
  const timeOf = useStoreTime(own.timezone);
  const { stop, frozen_until: until } = balance;
  if (!stop) return null;
  const words = {
    store_closed: m.settlements_stop_store_closed(),
    record_altered: m.settlements_stop_record_altered(),
    withdrawals_frozen: m.settlements_stop_frozen({ until: until === undefined ? '' : timeOf(until) }),
    account_closed: m.settlements_stop_account_closed(),
    reversal_pending: m.settlements_stop_pending(),
    business_owes: own.kind === 'personal' ? m.settlements_stop_owes_holder() : m.settlements_stop_owes(),
  } as const satisfies Record<typeof stop, string>;
  return (
    <Message tone="warning" title={m.settlements_stop()}>
      {words[stop]}
    </Message>
  );
}
