import type { ReactNode } from 'react';
import { findCurrency, shortNameOf } from '../../features/currency.ts';
import { MailboxLink } from '../../features/sandbox/mailbox-link.tsx';
import { m } from '../../features/words.ts';
import { Icon, Mark } from '../../ui/base/icon.tsx';
import { writeClock } from '../../ui/base/time.ts';
import { type PageName, pageUrl } from '../pages.ts';
import css from './footer.module.css';
import header from './header.module.css';
import type { SiteData } from './site-data.ts';
import { Wordmark } from './wordmark.tsx';

// What every page leads to. Drawn by the server, so that it may be as long as people need it.

interface Place {
  readonly to: string;
  readonly name: string;
}

/** A place of the header, or a group of them under one name. */
type Entry = Place | { readonly name: string; readonly places: readonly Place[] };

function entriesOf(site: SiteData): Entry[] {
  const page = (name: PageName, title: string): Place => ({ to: pageUrl(site.locale, name), name: title });
  return [
    page('home', m.nav_exchange()),
    { name: m.nav_directions(), places: [...directionsOf(site), page('rates', m.footer_directions())] },
    { name: m.nav_business(), places: businessOf(page) },
    { name: m.nav_earn(), places: [page('affiliateProgram', m.nav_affiliate()), page('earnFree', m.nav_earn_free())] },
    page('faq', m.nav_help()),
  ];
}

/** What there is for those who are paid. */
const businessOf = (page: (name: PageName, title: string) => Place): Place[] => [
  page('forBusiness', m.nav_for_business()),
  page('onlinePayment', m.nav_online_payment()),
  page('paymentGate', m.nav_gate()),
];

/** The first directions that are open. */
function directionsOf({ locale, currencies, directions }: SiteData): Place[] {
  const title = (code: string): string => shortNameOf(findCurrency(currencies, code), currencies);
  return directions.map(({ from, to, slug }) => ({
    to: pageUrl(locale, 'service', { slug }),
    name: `${title(from)} → ${title(to)}`,
  }));
}

/** The header's links on a wide screen: groups open below their names. */
export function Navigation({ site }: { site: SiteData }): ReactNode {
  return entriesOf(site).map((entry) =>
    'to' in entry ? (
      <a key={entry.to} href={entry.to}>
        {entry.name}
      </a>
    ) : (
      <details key={entry.name} name="menu" className={header['group']}>
        <summary>
          {entry.name}
          <Icon name="caret-down" size={16} />
        </summary>
        <div>
          {entry.places.map(({ to, name }) => (
            <a key={to} href={to}>
              {name}
            </a>
          ))}
        </div>
      </details>
    ),
  );
}

/** The same on a small screen: every link in one list, groups under their names. */
export function Menu({ site }: { site: SiteData }): ReactNode {
  return entriesOf(site).map((entry) =>
    'to' in entry ? (
      <a key={entry.to} href={entry.to}>
        {entry.name}
      </a>
    ) : (
      <section key={entry.name}>
        <h2>{entry.name}</h2>
        {entry.places.map(({ to, name }) => (
          <a key={to} href={to}>
            {name}
          </a>
        ))}
      </section>
    ),
  );
}

/** Links to what exists, and who runs the site. Columns without entries are absent. */
export function Footer({ site }: { site: SiteData }): ReactNode {
  const { contacts, legal, supportHours } = site;
  const page = (name: PageName, title: string): Place => ({ to: pageUrl(site.locale, name), name: title });
  const directions = directionsOf(site);
  return (
    <div className="wrap">
      <div className={css['columns']}>
        <div className={css['about']}>
          <Wordmark site={site}>
            <Mark />
          </Wordmark>
          <p>{m.footer_about()}</p>
          {legal && <p>{[legal.entity, legal.registration, legal.address].filter(Boolean).join(', ')}</p>}
        </div>
        {directions.length > 0 && (
          <Column title={m.footer_exchange()} places={[...directions, page('rates', m.footer_directions())]} />
        )}
        <Column
          title={m.footer_solutions()}
          places={[
            page('hiWallet', m.nav_hi_wallet()),
            ...businessOf(page),
            page('exchangePaypal', m.nav_paypal()),
            page('vouchers', m.nav_vouchers()),
            page('affiliateProgram', m.nav_affiliate()),
            page('earnFree', m.nav_earn_free()),
          ]}
        />
        <Column
          title={m.footer_help()}
          places={[
            page('faq', m.nav_questions()),
            page('contact', m.nav_contact()),
            page('track', m.nav_track()),
            page('verify', m.nav_verify()),
            page('status', m.nav_status()),
          ]}
        >
          {contacts?.email && (
            <li>
              <a href={`mailto:${contacts.email}`}>{contacts.email}</a>
            </li>
          )}
          {contacts?.links?.map(({ name, url }) => (
            <li key={url}>
              <a href={url} rel="noopener">
                {name}
              </a>
            </li>
          ))}
        </Column>
        <Column
          title={m.footer_rules()}
          places={[
            page('terms', m.terms_title()),
            page('aml', m.aml_title()),
            page('privacy', m.privacy_title()),
            page('brand', m.footer_brand()),
          ]}
        />
      </div>
      <div className={`${css['end']} num`}>
        <span>
          {[`© ${site.year} ${site.name}`, site.ratesAt && m.rates_updated({ time: writeClock(site.ratesAt, true) })]
            .filter(Boolean)
            .join(' · ')}
        </span>
        {(site.google ?? site.botCheck ?? site.chat) && (
          <a href={`${pageUrl(site.locale, 'privacy')}#others`} data-others="">
            {m.footer_others()}
          </a>
        )}
        {supportHours && <span>{m.footer_hours({ from: supportHours.from, to: supportHours.to })}</span>}
      </div>
    </div>
  );
}

function Column({ title, places, children }: { title: string; places: readonly Place[]; children?: ReactNode }): ReactNode {
  return (
    <div>
      <h2>{title}</h2>
      <ul>
        {places.map(({ to, name }) => (
          <li key={to}>
            <a href={to}>{name}</a>
          </li>
        ))}
        {children}
      </ul>
    </div>
  );
}

/** What a sandbox says of itself, and where its letters lie. */
export function Sandbox({ site: { mode } }: { site: SiteData }): ReactNode {
  return (
    <>
      {m.sandbox_banner()} <MailboxLink mode={mode} />
    </>
  );
}
