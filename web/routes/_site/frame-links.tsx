import type { ReactNode } from 'react';
import { findCurrency, shortNameOf } from '../../features/currency.ts';
import { MailboxLink } from '../../features/sandbox/mailbox-link.tsx';
import { m } from '../../features/words.ts';
import { Icon, Mark } from '../../ui/base/icon.tsx';
import { writeClock } from '../../ui/base/time.ts';
import { ALL_PAGES, type LinkedPage, type Page, pageNamed, pageUrl } from '../pages.ts';
import css from './footer.module.css';
import header from './header.module.css';
import type { SiteData } from './site-data.ts';
import { Wordmark } from './wordmark.tsx';

// Links in the header and the footer of every page. The server renders them, so the browser needs no code for them.

interface Place {
  readonly to: string;
  readonly name: string;
}

/** Entry of the header: a link, or a named group of links. */
type Entry = Place | { readonly name: string; readonly places: readonly Place[] };

/** Names of the pages to which the header or the footer links. */
const NAMES: Readonly<Record<LinkedPage, () => string>> = {
  rates: () => m.footer_directions(),
  hiWallet: () => m.nav_hi_wallet(),
  forBusiness: () => m.nav_for_business(),
  onlinePayment: () => m.nav_online_payment(),
  paymentGate: () => m.nav_gate(),
  exchangePaypal: () => m.nav_paypal(),
  vouchers: () => m.nav_vouchers(),
  affiliateProgram: () => m.nav_affiliate(),
  earnFree: () => m.nav_earn_free(),
  faq: () => m.nav_questions(),
  contact: () => m.nav_contact(),
  track: () => m.nav_track(),
  verify: () => m.nav_verify(),
  status: () => m.nav_status(),
  terms: () => m.terms_title(),
  aml: () => m.aml_title(),
  privacy: () => m.privacy_title(),
  brand: () => m.footer_brand(),
};

/** Returns links to the pages of one group in the header, or of one column in the footer. */
const placesOf = ({ locale }: SiteData, isIn: (page: Page) => boolean): Place[] =>
  ALL_PAGES.filter((name): name is LinkedPage => isIn(pageNamed(name))).map((name) => ({
    to: pageUrl(locale, name),
    name: NAMES[name](),
  }));

function entriesOf(site: SiteData): Entry[] {
  const group = (menu: Page['menu']): Place[] => placesOf(site, (page) => page.menu === menu);
  return [
    { to: pageUrl(site.locale, 'home'), name: m.nav_exchange() },
    { name: m.nav_directions(), places: [...directionsOf(site), ...group('directions')] },
    { name: m.nav_business(), places: group('business') },
    { name: m.nav_earn(), places: group('earn') },
    { to: pageUrl(site.locale, 'faq'), name: m.nav_help() },
  ];
}

/** Returns links to the pages of the first open directions. */
function directionsOf({ locale, currencies, directions }: SiteData): Place[] {
  const title = (code: string): string => shortNameOf(findCurrency(currencies, code), currencies);
  return directions.map(({ from, to, slug }) => ({
    to: pageUrl(locale, 'service', { slug }),
    name: `${title(from)} → ${title(to)}`,
  }));
}

/** Links in the header on a wide screen. Groups open below their names. */
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

/** Links in the header's menu on a small screen: a single list, with group names above the groups. */
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

/** Footer with links to pages, the contacts, and the operator. Columns without links are left out. */
export function Footer({ site }: { site: SiteData }): ReactNode {
  const { contacts, legal, supportHours } = site;
  const column = (footer: Page['footer']): Place[] => placesOf(site, (page) => page.footer === footer);
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
        {directions.length > 0 && <Column title={m.footer_exchange()} places={[...directions, ...column('exchange')]} />}
        <Column title={m.footer_solutions()} places={column('solutions')} />
        <Column title={m.footer_help()} places={column('help')}>
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
        <Column title={m.footer_rules()} places={column('rules')} />
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

/** Banner that says that this is a sandbox, with a link to its mailbox. */
export function Sandbox({ site: { mode } }: { site: SiteData }): ReactNode {
  return (
    <>
      {m.sandbox_banner()} <MailboxLink mode={mode} />
    </>
  );
}
