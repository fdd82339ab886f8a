import { type ReactNode, useEffect } from 'react';
import { useLoaderData } from 'react-router';
import { depositOf, keptKey } from '../../../features/order/kept-key.ts';
import { useSite } from '../../../features/site.ts';
import { m } from '../../../features/words.ts';
import { ButtonLink } from '../../../ui/button.tsx';
import { useHydrated } from '../../../ui/clock.ts';
import { Icon } from '../../../ui/icon.tsx';
import { Slip, SlipLine, SlipLines } from '../../../ui/slip.tsx';
import { useTitle } from '../../../ui/title.ts';
import { pageUrl } from '../../pages.ts';
import { Main } from '../layout.tsx';
import type { ReturnedData } from './returned-data.ts';
import css from './returned.module.css';

/**
 * Where a provider sends its customer back to. The tab that left remembers the order’s secret and goes on to its page; any
 * other is told where the order is to be found. Nothing here says or does anything about money.
 */
export function ReturnedPage(): ReactNode {
  const { head, way, id } = useLoaderData<ReturnedData>();
  const { locale, name } = useSite();
  useTitle(head.title, name);
  const hydrated = useHydrated();
  const key = hydrated ? keptKey(id) : undefined;
  const deposit = key && depositOf(key);
  const order =
    key &&
    (deposit === undefined
      ? pageUrl(key.locale, 'order', { id: key.id, token: key.token })
      : pageUrl(key.locale, 'deposit', { id: deposit }));
  useEffect(() => {
    if (order !== undefined) location.replace(order);
  }, [order]);
  const paid = way === 'paid';
  return (
    <Main className={css['page']}>
      <div className={paid ? css['seal'] : css['greySeal']} aria-hidden="true">
        <span className={css['rosette']} />
        <span className={css['disc']}>
          <Icon name={paid ? 'hourglass-medium' : 'arrow-u-up-left'} size={24} />
        </span>
      </div>
      <h1 className="section-title">{head.title}</h1>
      <p className={css['lead']}>
        {isDeposit(id) ? m.returned_deposit_lead() : paid ? m.returned_lead() : m.returned_unpaid_lead()}
      </p>
      <div className={css['slip']}>
        <Slip label={m.returned_label()}>
          <SlipLines>
            {id && <SlipLine label={isDeposit(id) ? m.returned_deposit() : m.returned_order()}>{id}</SlipLine>}
            <SlipLine label={m.returned_credited()}>{m.returned_credited_by()}</SlipLine>
            {!isDeposit(id) && <SlipLine label={m.returned_link()}>{m.returned_link_where()}</SlipLine>}
          </SlipLines>
        </Slip>
      </div>
      <div className={css['ways']}>
        <ButtonLink look="secondary" size="large" href={pageUrl(locale, 'home')}>
          {m.order_new()}
        </ButtonLink>
        <ButtonLink size="large" href={order ?? elsewhere(locale, id)}>
          {isDeposit(id) ? m.returned_wallets() : order === undefined ? m.nav_track() : m.returned_open()}
        </ButtonLink>
      </div>
    </Main>
  );
}

/** A deposit into a wallet has a number like an order's, that begins otherwise. */
const isDeposit = (id: string | undefined): boolean => id?.startsWith('KD-') ?? false;

/** Where somebody finds out by himself. */
const elsewhere = (locale: 'en' | 'ru', id: string | undefined): string =>
  isDeposit(id) ? pageUrl(locale, 'wallet') : pageUrl(locale, 'track', id === undefined ? {} : { id });
