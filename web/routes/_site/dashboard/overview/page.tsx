import type { ReactNode } from 'react';
import { useLoaderData } from 'react-router';
import { Money } from '../../../../features/money.tsx';
import { Status, statusOf } from '../../../../features/order/status.tsx';
import { useSite } from '../../../../features/site.ts';
import { m } from '../../../../features/words.ts';
import { ButtonLink } from '../../../../ui/fields/button.tsx';
import { machineNow, useHydrated, useServerNow } from '../../../../ui/base/clock.ts';
import { cx } from '../../../../ui/base/cx.ts';
import { Icon } from '../../../../ui/base/icon.tsx';
import { writeRemaining } from '../../../../ui/base/time.ts';
import { type Closed, isClosed } from '../../../closed.ts';
import { pageUrl } from '../../../pages.ts';
import { Balance } from './balance.tsx';
import { Exchanged } from './exchanged.tsx';
import { OrdersTable, Pair } from '../orders/orders-table.tsx';
import type { OwnOrder } from '../orders/page.server.ts';
import css from './overview.module.css';
import type { OverviewData } from './page.server.ts';
import { Protect } from './protect.tsx';
import { Skeleton } from '../frame/skeleton.tsx';
import { useUser } from '../user.ts';

/** Start page of the dashboard: open orders first, then the exchanged amounts and the newest orders. */
export default function OverviewPage(): ReactNode {
  const data = useLoaderData<OverviewData | Closed>();
  const name = useUser()?.name;
  return (
    <>
      <div className={css['head']}>
        <h1 className="title">{isClosed(data) ? m.dashboard_overview() : <Greeting name={name} />}</h1>
        {!isClosed(data) && <p className="soft">{leadOf(data)}</p>}
      </div>
      {isClosed(data) ? <Skeleton rows={6} /> : <Overview data={data} />}
    </>
  );
}

/** Greetings by the time of day, each with the customer's name and without. */
const GREETINGS = {
  morning: [(name: string) => m.overview_morning_name({ name }), () => m.overview_morning()],
  afternoon: [(name: string) => m.overview_afternoon_name({ name }), () => m.overview_afternoon()],
  evening: [(name: string) => m.overview_evening_name({ name }), () => m.overview_evening()],
} as const;

/** Greets by the clock of the customer's device, which the server doesn't know. */
function Greeting({ name }: { name: string | undefined }): ReactNode {
  const hour = useHydrated() ? new Date(machineNow()).getHours() : 12;
  const [named, plain] = GREETINGS[hour >= 4 && hour < 12 ? 'morning' : hour >= 12 && hour < 18 ? 'afternoon' : 'evening'];
  return name ? named(name) : plain();
}

/** True if the order waits for its customer to pay or to choose. */
const waits = (order: OwnOrder): boolean => ['waiting', 'choose', 'short'].includes(statusOf(order));

function leadOf({ open, figures }: OverviewData): string {
  const waiting = open.filter(waits).length;
  if (waiting > 0) return m.overview_waiting({ count: waiting });
  return figures.open > 0 ? m.overview_running({ count: figures.open }) : m.overview_lead();
}

function Overview({ data }: { data: OverviewData }): ReactNode {
  const { locale } = useSite();
  const { open, newest, figures, wallets, days, now } = data;
  return (
    <>
      <div className={css['grid']}>
        <div className={css['column']}>
          {wallets.length > 0 && <Balance wallets={wallets} isFirst={!open.some(waits)} />}
          {figures.total === 0 ? <Begin /> : <Exchanged figures={figures} days={days} />}
        </div>
        <div className={cx(css['column'], css['beside'])}>
          {open.map((order) => (
            <OpenOrder key={order.id} order={order} now={now} />
          ))}
          <Protect protection={data.protection} />
        </div>
      </div>
      {newest.length > 0 && (
        <section className={cx('card', css['newest'])} aria-labelledby="newest-title">
          <div className={css['cardHead']}>
            <h2 className="card-title" id="newest-title">
              {m.overview_newest()}
            </h2>
            <a className="link small" href={pageUrl(locale, 'orders')}>
              {m.overview_all()}
            </a>
          </div>
          <OrdersTable orders={newest} now={now} />
        </section>
      )}
    </>
  );
}

/** Card of one open order. It is highlighted if it waits for its customer. */
function OpenOrder({ order, now }: { order: OwnOrder; now: string }): ReactNode {
  const { locale } = useSite();
  const clock = useServerNow(now);
  const left = Date.parse(order.expires_at) - clock;
  return (
    <section className={cx('card', 'pad', waits(order) && css['waits'])} aria-label={order.id} data-open>
      <div className={css['between']}>
        <span className="tiny mute num">{order.id}</span>
        <Status status={statusOf(order)} />
      </div>
      <div className={css['pair']}>
        <Pair order={order} />
      </div>
      <p className={css['sums']}>
        <Money of={order.give} />
        {order.get && (
          <>
            <Icon name="arrow-right" size={16} className="mute" />
            <Money of={order.get} />
          </>
        )}
      </p>
      {order.status === 'waiting' && left > 0 && (
        <p className="small soft num">{m.overview_held({ time: writeRemaining(left) })}</p>
      )}
      <ButtonLink isWide look={waits(order) ? 'primary' : 'secondary'} href={pageUrl(locale, 'ownOrder', { id: order.id })}>
        {order.status === 'waiting' ? m.overview_pay() : order.status === 'choose' ? m.overview_choose() : m.overview_follow()}
      </ButtonLink>
    </section>
  );
}

/** Card that invites to the first exchange. It replaces the figures while the account has no orders. */
function Begin(): ReactNode {
  const { locale } = useSite();
  return (
    <section className={cx('card', css['begin'])}>
      <span className={css['rosette']} aria-hidden="true" />
      <h2 className="card-title">{m.overview_begin_title()}</h2>
      <p className="soft">{m.overview_begin_text()}</p>
      <p>
        <ButtonLink look="secondary" href={pageUrl(locale, 'newOrder')}>
          {m.dashboard_new()}
        </ButtonLink>
      </p>
    </section>
  );
}
