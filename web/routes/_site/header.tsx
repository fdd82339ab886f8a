import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router';
import { AccountButton } from '../../features/account/account-button.tsx';
import { m } from '../../features/words.ts';
import { IconButton } from '../../ui/fields/button.tsx';
import { cx } from '../../ui/base/cx.ts';
import { Icon, Mark } from '../../ui/base/icon.tsx';
import type { IconName } from '../../ui/base/icons.ts';
import { pageUrl } from '../pages.ts';
import { FramePart } from './frame-parts.tsx';
import css from './header.module.css';
import { LanguageLinks } from './language-links.tsx';
import type { SiteData } from './site-data.ts';
import { Wordmark } from './wordmark.tsx';

export function Header({ site, isReduced }: { site: SiteData; isReduced: boolean }): ReactNode {
  const frame = useRef<HTMLElement>(null);
  useMarkedPlace(frame);
  return (
    <header className={css['header']} ref={frame}>
      <div className={cx('wrap', css['row'])}>
        <HomeLink site={site} />
        {!isReduced && (
          <nav className={css['nav']} aria-label={m.nav_label()}>
            <FramePart of="Navigation" as="div" site={site} />
          </nav>
        )}
        <span className={css['space']} />
        {isReduced && (
          <a className={css['help']} href={pageUrl(site.locale, 'track')}>
            <Icon name="magnifying-glass" />
            <span>{m.nav_track()}</span>
          </a>
        )}
        <LanguageSwitch site={site} />
        <ThemeSwitch site={site} className={isReduced ? undefined : 'not-mobile'} />
        {!isReduced && <AccountButton />}
        {!isReduced && (
          <details className={css['menu']} name="menu">
            <summary aria-label={m.nav_menu()}>
              <Icon name="list" size={24} />
            </summary>
            <nav aria-label={m.nav_menu()}>
              <FramePart of="Menu" as="div" site={site} />
              <ThemeSwitch site={site} />
            </nav>
          </details>
        )}
      </div>
      {site.mode === 'sandbox' && (
        <div className={css['sandbox']}>
          <FramePart of="Sandbox" as="div" site={site} className="wrap" />
        </div>
      )}
    </header>
  );
}

const HomeLink = ({ site }: { site: SiteData }): ReactNode => (
  <Wordmark site={site}>
    <Mark />
  </Wordmark>
);

/** Marks the link to the current page, also in HTML that only the server rendered. */
function useMarkedPlace(frame: RefObject<HTMLElement | null>): void {
  const { pathname } = useLocation();
  useEffect(() => {
    for (const link of frame.current?.querySelectorAll<HTMLAnchorElement>('nav a') ?? []) {
      if (!link.hash && link.pathname === pathname) link.setAttribute('aria-current', 'page');
      else if (link.ariaCurrent === 'page') link.removeAttribute('aria-current');
    }
  }, [frame, pathname]);
}

/** Links to the current page in both languages. */
export function LanguageSwitch({ site }: { site: SiteData }): ReactNode {
  const { pathname, search } = useLocation();
  return <LanguageLinks locale={site.locale} path={pathname + search} />;
}

const NEXT_THEME = { light: 'dark', dark: 'system', system: 'light' } as const;
const THEME_ICON: Record<keyof typeof NEXT_THEME, IconName> = { light: 'sun', dark: 'moon', system: 'circle-half' };

/**
 * Button that switches from the light theme to the dark theme, and then to the system's theme. Without JavaScript it is a form
 * that returns to the same page.
 */
export function ThemeSwitch({ site, className }: { site: SiteData; className?: string | undefined }): ReactNode {
  const [theme, setTheme] = useState(site.theme);
  const { pathname, search } = useLocation();
  const next = NEXT_THEME[theme];
  const label = { light: m.theme_to_light, dark: m.theme_to_dark, system: m.theme_to_system }[next]();
  return (
    <form
      method="post"
      action="/theme"
      className={className}
      onSubmit={(event) => {
        event.preventDefault();
        document.documentElement.dataset['theme'] = next;
        document.cookie = `theme=${next}; Path=/; Max-Age=31536000; SameSite=Lax`;
        setTheme(next);
      }}
    >
      <input type="hidden" name="to" value={pathname + search} />
      <input type="hidden" name="theme" value={next} />
      <IconButton type="submit" name={THEME_ICON[next]} label={label} />
    </form>
  );
}
