import type { ReactNode } from 'react';
import { pageUrl } from '../../routes/pages.ts';
import type { Visit } from '../../server/routing/visit.ts';
import type { SiteLocale } from '../../site.ts';
import { m } from '../words.ts';

// Breadcrumbs of a page, as links for people and as structured data for programs. Only the server renders them.

interface Place {
  readonly name: string;
  readonly to: string;
}

const home = (locale: SiteLocale): Place => ({ name: m.nav_exchange(), to: pageUrl(locale, 'home') });

/** Breadcrumbs: the home page, the pages `between`, and the current page by its short name. */
export function Crumbs({
  name,
  between = [],
  locale,
}: {
  name: string;
  between?: readonly Place[];
  locale: SiteLocale;
}): ReactNode {
  return (
    <nav className="crumbs small" aria-label={m.service_crumbs()}>
      {[home(locale), ...between].map((place) => (
        <span key={place.to}>
          <a href={place.to}>{place.name}</a>
          <span aria-hidden="true">/</span>
        </span>
      ))}
      <span aria-current="page">{name}</span>
    </nav>
  );
}

/** Returns the breadcrumbs as structured data: https://schema.org/BreadcrumbList */
export function crumbList({ config, locale, url }: Visit, name: string, between: readonly Place[] = []): object {
  return {
    '@type': 'BreadcrumbList',
    itemListElement: [home(locale), ...between, { name, to: url.pathname }].map((place, index) => ({
      '@type': 'ListItem',
      position: index + 1,
      name: place.name,
      item: `${config.url}${place.to}`,
    })),
  };
}
