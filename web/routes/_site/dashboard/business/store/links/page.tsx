import type { ReactNode } from 'react';
import { useLoaderData } from 'react-router';
import { useMoneyText } from '../../../../../../features/money.tsx';
import { useSite } from '../../../../../../features/site.ts';
import { m } from '../../../../../../features/words.ts';
import { cx } from '../../../../../../ui/base/cx.ts';
import { ButtonLink } from '../../../../../../ui/fields/button.tsx';
import { CopyButton } from '../../../../../../ui/parts/copyable.tsx';
import type { Closed } from '../../../../../closed.ts';
import { pageUrl } from '../../../../../pages.ts';
import business from '../../business.module.css';
import invoices from '../invoices/invoices.module.css';
import { isStopped } from '../invoices/may-make.ts';
import { StorePage } from '../store-head.tsx';
import { LinkForm } from './link-fields.tsx';
import { LinkPill } from './link-pill.tsx';
import css from './links.module.css';
import { OneLink } from './one-link.tsx';
import type { LinksData, StoreLink } from './page.server.ts';

/** Links of a store. The URL opens one of them, or the form for a new one. */
export default function StoreLinksPage(): ReactNode {
  const data = useLoaderData<LinksData | Closed>();
  return (
    <StorePage page="storeLinks" data={data}>
      {(own) => {
        if (own.one) return <OneLink key={own.one.id} data={own} link={own.one} />;
        if (own.key !== undefined) return <NewLink data={own} formKey={own.key} />;
        return own.links.length === 0 ? <NoLinks data={own} /> : <Links data={own} />;
      }}
    </StorePage>
  );
}

function Links({ data }: { data: LinksData }): ReactNode {
  return (
    <>
      <div className={invoices['top']}>
        <p className="small soft">{m.links_lead()}</p>
        <NewButton data={data} />
      </div>
      <section className="card" aria-label={m.store_links()}>
        <ul className={business['rows']}>
          {data.links.map((link) => (
            <LinkRow key={link.id} link={link} store={data.store.id} />
          ))}
        </ul>
      </section>
    </>
  );
}

function LinkRow({ link, store }: { link: StoreLink; store: string }): ReactNode {
  const { locale } = useSite();
  const { id, title, url, uses, max_uses: max } = link;
  return (
    <li>
      <div className={business['what']}>
        <a className={business['name']} href={pageUrl(locale, 'storeLinks', { store, link: id })}>
          {title}
        </a>
        <span className="small soft num">
          <LinkSum of={link} />
        </span>
        <span className={cx(business['pills'], css['state'])}>
          <LinkPill link={link} />
          <span className="tiny mute">{max === undefined ? m.links_paid({ uses }) : m.links_paid_of({ uses, max })}</span>
        </span>
      </div>
      <CopyButton value={url} words={{ copy: m.links_copy(), copied: m.copied() }} name={title} />
    </li>
  );
}

/** Sum of a link, or the bounds of the sum that its buyers state. */
export function LinkSum({ of: { amount, least = '0', most = '0', currency } }: { of: StoreLink }): ReactNode {
  const text = useMoneyText();
  if (amount !== undefined) return text({ amount, currency });
  return m.link_bounds({ least: text({ amount: least, currency }), most: text({ amount: most, currency }) });
}

function NewButton({ data: { store } }: { data: LinksData }): ReactNode {
  const { locale } = useSite();
  if (isStopped(store)) return null;
  return (
    <ButtonLink icon="plus" href={pageUrl(locale, 'storeLinks', { store: store.id, new: '1' })}>
      {m.links_new()}
    </ButtonLink>
  );
}

function NoLinks({ data }: { data: LinksData }): ReactNode {
  return (
    <div className={cx('card', invoices['none'])}>
      <p className="soft">{m.links_none()}</p>
      <NewButton data={data} />
    </div>
  );
}

function NewLink({ data, formKey }: { data: LinksData; formKey: string }): ReactNode {
  const { locale } = useSite();
  return (
    <div className={css['one']}>
      <p className="small">
        <a className="link" href={pageUrl(locale, 'storeLinks', { store: data.store.id })}>
          {m.links_back()}
        </a>
      </p>
      <LinkForm data={data} formKey={formKey} />
    </div>
  );
}
