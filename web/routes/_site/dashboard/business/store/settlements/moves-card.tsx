import { type FormEvent, type ReactNode, useState } from 'react';
import { useNavigate, useNavigation } from 'react-router';
import { Money } from '../../../../../../features/money.tsx';
import { useSite } from '../../../../../../features/site.ts';
import { m } from '../../../../../../features/words.ts';
import { cx } from '../../../../../../ui/base/cx.ts';
import { Button, ButtonLink } from '../../../../../../ui/fields/button.tsx';
import { DateField } from '../../../../../../ui/fields/date-field.tsx';
import { pageUrl } from '../../../../../pages.ts';
import { dayError } from '../../../orders/filter.ts';
import orders from '../../../orders/orders.module.css';
import { Pager } from '../../../orders/pager.tsx';
import { Card } from '../../card.tsx';
import { momentIn } from '../invoices/store-times.ts';
import type { ListedSettlement, SettlementsData } from './page.server.ts';
import { DIRECTIONS, type SettlementsFilter, directionName, filterQuery, isNarrowed } from './settlements-filter.ts';
import { showCurrent } from '../../../show-current.ts';
import css from './settlements.module.css';

/** Returns a function that makes the URL of the page from a filter, with only the fields that are set. */
function useAddress(store: string): (filter: SettlementsFilter, more?: Readonly<Record<string, string>>) => string {
  const { locale } = useSite();
  return (filter, more = {}) => pageUrl(locale, 'storeSettlements', { id: store, ...filterQuery(filter), ...more });
}

/** Card with the moves between the store's balance and its owner's wallet, by direction and days. */
export function MovesCard({ data }: { data: SettlementsData }): ReactNode {
  const { store, filter, settlements, meta } = data;
  const address = useAddress(store.id);
  const busy = useNavigation().state === 'loading';
  const isWhole = filter.direction === 'all' && !isNarrowed(filter);
  if (isWhole && settlements.length === 0)
    return (
      <Card id="moves" title={m.settlements_list()}>
        <p className={css['quiet']}>{m.settlements_none()}</p>
      </Card>
    );
  return (
    <Card id="moves" title={m.settlements_list()}>
      <nav ref={showCurrent} className={orders['groups']} aria-label={m.settlements_groups()}>
        {DIRECTIONS.map((direction) => (
          <a
            key={direction}
            href={address({ ...filter, direction })}
            aria-current={direction === filter.direction ? 'true' : undefined}
          >
            {directionName(direction)}
          </a>
        ))}
      </nav>
      <DaysForm key={JSON.stringify(filter)} data={data} />
      <div className={cx(busy && orders['stale'])}>
        {settlements.length > 0 ? (
          <ul className={css['moves']}>
            {settlements.map((one) => (
              <Move key={one.id} of={one} data={data} />
            ))}
          </ul>
        ) : (
          <div className={orders['none']}>
            <output className="soft">{m.orders_nothing()}</output>
            <ButtonLink look="secondary" href={address({ direction: 'all', from: '', to: '' })}>
              {m.orders_reset()}
            </ButtonLink>
          </div>
        )}
      </div>
      <Pager meta={meta} label={m.settlements_pages()} address={(more) => address(filter, more)} />
    </Card>
  );
}

/** Form with the days of the list. On phones a button opens it. */
function DaysForm({ data: { store, filter, wrongDays, now } }: { data: SettlementsData }): ReactNode {
  const navigate = useNavigate();
  const address = useAddress(store.id);
  const [open, setOpen] = useState(isNarrowed(filter));
  const words = { open: m.calendar_open(), before: m.calendar_before(), after: m.calendar_after() };
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const fields = [...new FormData(event.currentTarget)].map(([name, value]) => [name, String(value).trim()]);
    void navigate(address({ ...filter, ...Object.fromEntries(fields) }));
  };
  const day = (name: 'from' | 'to', label: string): ReactNode => (
    <DateField {...{ name, label, words }} start={filter[name]} today={now.slice(0, 10)} error={dayError(wrongDays[name])} />
  );
  return (
    <>
      <div className={cx('only-mobile', orders['open'])}>
        <Button look="secondary" size="small" aria-expanded={open} onClick={() => setOpen(!open)}>
          {m.orders_filter()}
        </Button>
      </div>
      <form
        className={cx(orders['filters'], css['filters'], !open && orders['closed'])}
        aria-label={m.orders_filter()}
        onSubmit={submit}
        noValidate
      >
        {day('from', m.orders_from())}
        {day('to', m.orders_to())}
        <div className={orders['acts']}>
          <Button type="submit" look="secondary">
            {m.orders_show()}
          </Button>
          {isNarrowed(filter) && (
            <a className="link" href={address({ ...filter, from: '', to: '' })}>
              {m.orders_reset()}
            </a>
          )}
        </div>
      </form>
    </>
  );
}

const CAUSES: Readonly<Record<ListedSettlement['cause'], () => string>> = {
  owner: () => m.settlements_by_owner(),
  daily: () => m.settlements_by_day_end(),
  deep: () => m.settlements_by_depth(),
  debt: () => m.settlements_by_debt(),
};

function Move({ of: one, data: { store, now } }: { of: ListedSettlement; data: SettlementsData }): ReactNode {
  const { locale } = useSite();
  return (
    <li>
      <span className={css['what']}>
        <b>{directionName(one.direction)}</b>
        <small>{CAUSES[one.cause]()}</small>
      </span>
      <span className={css['moved']}>
        <Money of={one.sum} look="quiet" />
        <small className="num">
          <time dateTime={one.at}>{momentIn(store.timezone, one.at, now, locale)}</time>
        </small>
      </span>
    </li>
  );
}
