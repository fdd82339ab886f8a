import type { ReactNode } from 'react';
import { findCurrency, shortNameOf } from '../../features/currency.ts';
import { m } from '../../features/words.ts';
import { Mark } from '../../ui/icon.tsx';
import { writeClock } from '../../ui/time.ts';
import { pageUrl } from '../pages.ts';
import css from './footer.module.css';
import type { SiteData } from './site-data.ts';
import { Wordmark } from './wordmark.tsx';

/** Links to what exists, and who runs the site. Columns without entries are absent. */
export function Footer({ site }: { site: SiteData }): ReactNode {
  const { locale, contacts, legal, supportHours } = site;
  const title = (code: string): string => shortNameOf(findCurrency(site.currencies, code), site.currencies);
  return (
    <footer className={css['footer']}>
      <div className="wrap">
        <div className={css['columns']}>
          <div className={css['about']}>
            <Wordmark site={site}>
              <Mark />
            </Wordmark>
            <p>{m.footer_about()}</p>
            {legal && <p>{[legal.entity, legal.registration, legal.address].filter(Boolean).join(', ')}</p>}
          </div>
          {site.directions.length > 0 && (
            <Column title={m.footer_exchange()}>
              {site.directions.map(({ from, to, slug }) => (
                <li key={slug}>
                  <a href={pageUrl(locale, 'service', { slug })}>
                    {title(from)} → {title(to)}
                  </a>
                </li>
              ))}
              <li>
                <a href={pageUrl(locale, 'rates')}>{m.footer_directions()}</a>
              </li>
            </Column>
          )}
          <Column title={m.footer_help()}>
            <li>
              <a href={`${pageUrl(locale, 'home')}#questions`}>{m.nav_questions()}</a>
            </li>
            <li>
              <a href={pageUrl(locale, 'track')}>{m.nav_track()}</a>
            </li>
            <li>
              <a href={pageUrl(locale, 'verify')}>{m.nav_verify()}</a>
            </li>
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
          <Column title={m.footer_rules()}>
            <li>
              <a href={pageUrl(locale, 'terms')}>{m.terms_title()}</a>
            </li>
            <li>
              <a href={pageUrl(locale, 'aml')}>{m.aml_title()}</a>
            </li>
          </Column>
        </div>
        <div className={`${css['end']} num`}>
          <span>
            © {site.year} {site.name}
            {site.ratesAt && ` · ${m.rates_updated({ time: writeClock(site.ratesAt, true) })}`}
          </span>
          {supportHours && <span>{m.footer_hours({ from: supportHours.from, to: supportHours.to })}</span>}
        </div>
      </div>
    </footer>
  );
}

function Column({ title, children }: { title: string; children: ReactNode }): ReactNode {
  return (
    <div>
      <h2>{title}</h2>
      <ul>{children}</ul>
    </div>
  );
}
