import type { ReactNode } from 'react';
import { m } from '../../features/words.ts';
import type { Locale } from '../../ui/base/locale.ts';
import { PREFIX } from '../pages.ts';
import css from './header.module.css';

/** Links to the page at `path` in both languages, through the URL that stores the choice. */
export function LanguageLinks({ locale: own, path }: { locale: Locale; path: string }): ReactNode {
  const target = (locale: Locale, current: string): string =>
    `/locale?to=${encodeURIComponent(current.replace(/^\/[^/?]*/, `/${PREFIX[locale]}`))}`;
  return (
    <nav className={css['language']} aria-label={m.language_label()}>
      {(['en', 'ru'] as const).map((locale) => (
        <a
          key={locale}
          href={target(locale, path)}
          lang={locale}
          rel="nofollow"
          aria-label={locale === 'en' ? 'En: English' : 'Ru: русский'}
          aria-current={locale === own ? 'true' : undefined}
          onClick={(event) => {
            // The URL contains the calculator's inputs, which the router's location lacks. The browser passes the hash on through
            // redirects.
            event.currentTarget.href = target(locale, location.pathname + location.search) + location.hash;
          }}
        >
          {PREFIX[locale]}
        </a>
      ))}
    </nav>
  );
}
