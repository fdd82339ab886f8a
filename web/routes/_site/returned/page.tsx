import { type ReactNode, useEffect } from 'react';
import { useLoaderData, useRevalidator } from 'react-router';
import { Money } from '../../../features/money.tsx';
import { depositOf, storedKey } from '../../../features/order/stored-key.ts';
import { useSite } from '../../../features/site.ts';
import { ButtonLink } from '../../../ui/fields/button.tsx';
import { useHydrated } from '../../../ui/base/clock.ts';
import { Code } from '../../../ui/parts/copyable.tsx';
import { Icon } from '../../../ui/base/icon.tsx';
import { Slip, SlipLine, SlipLines } from '../../../ui/parts/slip.tsx';
import { useTitle } from '../../../ui/base/title.ts';
import { pageUrl } from '../../pages.ts';
import { Main } from '../layout.tsx';
import type { ReturnedData } from './page.server.ts';
import type { Line } from './returned-shown.ts';
import css from './returned.module.css';

const FOLLOW_MS = 5000;

/**
 * Page to which a payment provider redirects its customer. It shows the order if this browser has the order's cookie. If only
 * this tab has stored the order's key, it continues to the order's page. Otherwise it says where to find the order. Opening this
 * page moves no money.
 */
export default function ReturnedPage(): ReactNode {
  const { head, title, seal, icon, lead, label, lines, ways, unknown, mayPoll } = useLoaderData<ReturnedData>();
  useTitle(head.title, useSite().name);
  useWayOn(unknown);
  useFollowing(mayPoll);
  const [other, main] = ways;
  return (
    <Main className={css['page']}>
      <div className={seal === 'brand' ? css['seal'] : css['greySeal']} aria-hidden="true">
        <span className={css['rosette']} />
        <span className={css['disc']}>
          <Icon name={icon} size={24} />
        </span>
      </div>
      <h1 className="section-title">{title}</h1>
      <p className={css['lead']}>{lead}</p>
      <div className={css['slip']}>
        <Slip label={label}>
          <SlipLines>
            {lines.map((line) => (
              <SlipLine key={line.label} label={line.label} isTotal={line.isTotal ?? false}>
                <Value of={line.value} />
              </SlipLine>
            ))}
          </SlipLines>
        </Slip>
      </div>
      <div className={css['ways']}>
        <ButtonLink look="secondary" size="large" href={other.href}>
          {other.label}
        </ButtonLink>
        <ButtonLink size="large" href={main.href}>
          {main.label}
        </ButtonLink>
      </div>
    </Main>
  );
}

function Value({ of: value }: { of: Line['value'] }): ReactNode {
  if (typeof value === 'string') return value;
  return 'code' in value ? <Code>{value.code}</Code> : <Money of={value.sum} {...(value.sign ? { sign: value.sign } : {})} />;
}

/** Continues to the page of the order or deposit whose key this tab has stored, if the server could not open the order. */
function useWayOn(unknown: ReturnedData['unknown']): void {
  const hydrated = useHydrated();
  const key = hydrated && unknown ? storedKey(unknown.id) : undefined;
  const deposit = key && depositOf(key);
  const page =
    key &&
    (deposit === undefined
      ? pageUrl(key.locale, 'order', { id: key.id, token: key.token })
      : pageUrl(key.locale, 'deposit', { id: deposit }));
  useEffect(() => {
    if (page !== undefined) location.replace(page);
  }, [page]);
}

/** Loads the page's data again at an interval while the page is visible. Does nothing if the order is over. */
function useFollowing(mayPoll: boolean): void {
  const { revalidate } = useRevalidator();
  useEffect(() => {
    if (!mayPoll) return;
    const timer = setInterval(() => document.hidden || void revalidate(), FOLLOW_MS);
    return () => clearInterval(timer);
  }, [mayPoll, revalidate]);
}
