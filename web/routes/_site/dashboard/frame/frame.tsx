import { type ReactNode, Suspense, lazy, useEffect, useMemo, useRef, useState } from 'react';
import { Outlet, useMatches, useRevalidator, useSearchParams } from 'react-router';
import { storeToken, useAccessToken } from '../../../../features/account/access-token.ts';
import { accountClient } from '../../../../features/account/account-client.ts';
import { useSite } from '../../../../features/site.ts';
import { m } from '../../../../features/words.ts';
import { Button, ButtonLink } from '../../../../ui/fields/button.tsx';
import { useHydrated } from '../../../../ui/base/clock.ts';
import { Message } from '../../../../ui/parts/message.tsx';
import { writeClock } from '../../../../ui/base/time.ts';
import { useTitle } from '../../../../ui/base/title.ts';
import { isClosed } from '../../../closed.ts';
import { pageUrl } from '../../../pages.ts';
import { Framed, InsideMain, Main } from '../../layout.tsx';
import { useAround } from '../account-news.ts';
import { ClosingNote } from './closing-note.tsx';
import css from './frame.module.css';
import { Sidebar, TopBar } from './sidebar.tsx';
import { useAccountChanges } from './use-account-changes.ts';
import { type Signed, type User, SignedProvider } from '../user.ts';

const SignIn = lazy(async () => ({ default: (await import('../../../../features/account/sign-in/sign-in.tsx')).SignIn }));

/**
 * Frame of the dashboard. The server renders it empty; the browser, which has the session's token, fills it. Visitors without a
 * session see the public frame with the sign-in dialog, and the page once they are signed in.
 */
export function DashboardFrame(): ReactNode {
  const token = useAccessToken();
  const hydrated = useHydrated();
  const data = useMatches().at(-1)?.loaderData;
  useSessionChange(token, data);
  const { accountMark, now } = (data ?? {}) as { accountMark?: string; now?: string };
  const signed = useSigned(token);
  const around = useAround(signed.user?.id, accountMark);
  const { revalidate } = useRevalidator();
  const connected = useAccountChanges(
    accountMark ?? around.mark,
    accountMark === undefined ? around.load : () => void revalidate(),
  );
  const site = useSite();
  const title = (data as { head?: { title?: string } } | undefined)?.head?.title;
  useTitle(title ?? m.dashboard_overview(), site.name);
  if (hydrated && token === null) return <SignInFirst />;
  return (
    <SignedProvider value={signed}>
      <div className={css['app']}>
        <Sidebar {...{ site, around }} onSignOut={signOut} />
        <div className={css['main']}>
          <TopBar {...{ site, around }} onSignOut={signOut} />
          <Main className={css['page']}>
            <noscript>
              <Message tone="neutral" title={m.dashboard_script_title()}>
                {m.dashboard_script_text()}
              </Message>
            </noscript>
            <InsideMain value={true}>
              <ClosingNote />
              <Outlet />
            </InsideMain>
          </Main>
          {!connected && accountMark !== undefined && now !== undefined && (
            <output className={css['lost']}>{m.dashboard_lost({ time: writeClock(now) })}</output>
          )}
        </div>
      </div>
    </SignedProvider>
  );
}

/** True during sign-out, so that the end of the session does not reload the page. */
let leaving = false;

/**
 * Signs this browser out, even if the API call fails. Then loads the home page as a document, so that nothing of the session is
 * left.
 */
function signOut(): void {
  void accountClient.logout({}).catch(() => undefined);
  leaving = true;
  storeToken(null);
  location.assign(pageUrl(document.documentElement.lang === 'ru' ? 'ru' : 'en', 'home'));
}

/**
 * Loads the page's data once there is a token, and removes a token that the API refuses. When a session ends or another session
 * begins, reloads the document, so that no data of one session is shown in another.
 */
function useSessionChange(token: string | null, data: unknown): void {
  const { revalidate } = useRevalidator();
  const had = useRef<string>(undefined);
  useEffect(() => {
    if (had.current !== undefined && token !== had.current && !leaving) return location.reload();
    if (token !== null) had.current = token;
    return undefined;
  }, [token]);
  useEffect(() => {
    if (token === null || !isClosed(data)) return;
    if (data.closed === 'session over') storeToken(null);
    else void revalidate();
  }, [token, data, revalidate]);
}

/** Loads the account holder whom the token belongs to. */
function useSigned(token: string | null): Signed {
  const [user, setUser] = useState<User>();
  useEffect(() => {
    if (token === null) return;
    accountClient.userInfo({}).then(setUser, () => storeToken(null));
  }, [token]);
  return useMemo(() => ({ user, setUser }), [user]);
}

/** Page for visitors without a session, with the sign-in dialog. */
function SignInFirst(): ReactNode {
  const site = useSite();
  const [query] = useSearchParams();
  // The visitor was sent here because their exchange requires an account. The page says so before it opens the dialog.
  const isForExchange = query.get('needs') === 'account';
  const [request, setRequested] = useState(!isForExchange);
  const other = Object.fromEntries([...query].filter(([name]) => name !== 'needs'));
  return (
    <Framed site={site}>
      <Main className={css['signIn']}>
        <h1 className="title">{isForExchange ? m.exchange_account_title() : m.dashboard_door_title()}</h1>
        <p className="soft">{isForExchange ? m.exchange_account_lead() : m.dashboard_door_lead()}</p>
        <p className={css['ways']}>
          <Button size="large" onClick={() => setRequested(true)}>
            {m.account_sign_in()}
          </Button>
          {isForExchange && (
            <ButtonLink look="secondary" size="large" href={pageUrl(site.locale, 'home', other)}>
              {m.exchange_other_amount()}
            </ButtonLink>
          )}
        </p>
      </Main>
      {request && (
        <Suspense fallback={null}>
          <SignIn onClose={() => setRequested(false)} />
        </Suspense>
      )}
    </Framed>
  );
}
