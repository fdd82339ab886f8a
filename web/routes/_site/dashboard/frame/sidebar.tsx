import { type ReactNode, useEffect, useRef } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { m } from '../../../../features/words.ts';
import { ButtonLink, IconButton, SearchButton } from '../../../../ui/fields/button.tsx';
import { cx } from '../../../../ui/base/cx.ts';
import { Icon, Mark } from '../../../../ui/base/icon.tsx';
import { pageUrl } from '../../../pages.ts';
import { LanguageSwitch, ThemeSwitch } from '../../header.tsx';
import type { SiteData } from '../../site-data.ts';
import { Wordmark } from '../../wordmark.tsx';
import type { Around } from '../account-news.ts';
import { Bell } from './bell.tsx';
import { apiBase } from '../../../../features/api/address.ts';
import { FramePart } from '../../frame-parts.tsx';
import css from './frame.module.css';
import { MENU, PAGE_NAMES } from '../names.ts';
import { useUser } from '../user.ts';

interface Props {
  readonly site: SiteData;
  readonly around: Around;
  readonly onSignOut: () => void;
}

/** Largest number that a badge shows; above it, the badge shows `99+`. */
const MAX_COUNTED = 99;

/** Navigation of the dashboard beside the page. On narrower screens it shows only icons. */
export function Sidebar({ site, around, onSignOut }: Props): ReactNode {
  return (
    <aside className={css['side']} aria-label={m.nav_menu()}>
      <Wordmark site={site}>
        <Mark />
      </Wordmark>
      <ButtonLink size="small" icon="plus" href={pageUrl(site.locale, 'newOrder')} title={m.dashboard_new()}>
        {m.dashboard_new()}
      </ButtonLink>
      <nav aria-label={m.dashboard_label()}>
        <Links {...{ site, around }} />
      </nav>
      <Me onSignOut={onSignOut} />
    </aside>
  );
}

/** Bar above the page with the switches of language and theme; on phones also with the logo and the menu. */
export function TopBar({ site, around, onSignOut }: Props): ReactNode {
  return (
    <header className={css['top']}>
      {site.mode === 'sandbox' && <FramePart of="Sandbox" as="div" site={site} className={css['sandbox']} />}
      <div className={css['bar']}>
        <span className="only-mobile">
          <Wordmark site={site}>
            <Mark />
          </Wordmark>
        </span>
        <Search site={site} />
        <span className={css['space']} />
        <LanguageSwitch site={site} />
        <ThemeSwitch site={site} className="not-mobile" />
        <Bell around={around} />
        <details className={cx(css['menu'], 'only-mobile')} name="menu">
          <summary aria-label={m.nav_menu()}>
            <Icon name="list" size={24} />
          </summary>
          <nav aria-label={m.nav_menu()}>
            <Links {...{ site, around }} />
            <ThemeSwitch site={site} />
            <Me onSignOut={onSignOut} />
          </nav>
        </details>
      </div>
    </header>
  );
}

/** Search field for orders, on every page. The `/` key moves the focus into it. */
function Search({ site: { locale } }: Pick<Props, 'site'>): ReactNode {
  const navigate = useNavigate();
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const focus = (event: KeyboardEvent): void => {
      const { tagName } = event.target as Element;
      if (event.key !== '/' || event.ctrlKey || event.metaKey || /^(INPUT|TEXTAREA|SELECT)$/.test(tagName)) return;
      event.preventDefault();
      field.current?.focus();
    };
    addEventListener('keydown', focus);
    return () => removeEventListener('keydown', focus);
  }, []);
  return (
    <form
      className={cx(css['search'], 'not-mobile')}
      onSubmit={(event) => {
        event.preventDefault();
        const q = field.current?.value.trim() ?? '';
        void navigate(pageUrl(locale, 'orders', q === '' ? {} : { q }));
      }}
    >
      <SearchButton label={m.search_go()} />
      <input ref={field} type="search" maxLength={120} aria-label={m.dashboard_search()} placeholder={m.dashboard_search()} />
      <kbd aria-hidden="true">/</kbd>
    </form>
  );
}

function Links({ site: { locale }, around: { open } }: Pick<Props, 'site' | 'around'>): ReactNode {
  const here = useLocation().pathname;
  return MENU.map(({ page, icon, iconHere, within = [] }) => {
    const to = pageUrl(locale, page);
    const isHere = to === here || within.some((other) => here === pageUrl(locale, other));
    return (
      <a
        key={page}
        href={to}
        title={PAGE_NAMES[page]()}
        aria-current={isHere ? (to === here ? 'page' : 'true') : undefined}
        onClick={(event) => event.currentTarget.closest('details')?.removeAttribute('open')}
      >
        <Icon name={isHere ? iconHere : icon} />
        <span>{PAGE_NAMES[page]()}</span>
        {page === 'orders' && open > 0 && (
          <b className={css['count']}>
            <span aria-hidden="true">{open > MAX_COUNTED ? `${MAX_COUNTED}+` : open}</span>
            <span className="sr">{m.overview_running({ count: open })}</span>
          </b>
        )}
      </a>
    );
  });
}

/** Signed-in account holder, with a button to sign out. */
function Me({ onSignOut }: Pick<Props, 'onSignOut'>): ReactNode {
  const user = useUser();
  return (
    <div className={css['me']}>
      <span className={css['avatar']} aria-hidden="true">
        {user?.avatar == null ? (
          [...(user?.name || user?.email || '')][0]?.toUpperCase()
        ) : (
          <img src={apiBase() + user.avatar} crossOrigin="anonymous" alt="" width={34} height={34} />
        )}
      </span>
      <span className={css['who']}>
        {user?.name && <b>{user.name}</b>}
        <span title={user?.email}>{user?.email}</span>
      </span>
      <IconButton name="sign-out" label={m.account_sign_out()} onClick={onSignOut} />
    </div>
  );
}
