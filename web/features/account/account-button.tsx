import { type ReactNode, Suspense, lazy, useState } from 'react';
import { Button } from '../../ui/fields/button.tsx';
import { m } from '../words.ts';
import { useAccessToken } from './access-token.ts';
import css from './account-button.module.css';

// Exchanging needs no account, so the code of sign-in and of the menu is loaded on demand.
const loadSignIn = (): Promise<typeof import('./sign-in/sign-in.tsx')> => import('./sign-in/sign-in.tsx');
/** Sign-in dialogs, loaded when they are opened. */
export const SignIn = lazy(async () => ({ default: (await loadSignIn()).SignIn }));
const AccountMenu = lazy(async () => ({ default: (await import('./account-menu.tsx')).AccountMenu }));

const fetchSignIn = (): void => void loadSignIn().catch(() => undefined);

/** Shows the account's menu, or the button to sign in. */
export function AccountButton(): ReactNode {
  const token = useAccessToken();
  const [request, setRequested] = useState(false);
  return (
    <span className={css['place']}>
      {token === null ? (
        <Button
          look="secondary"
          size="small"
          onPointerEnter={fetchSignIn}
          onFocus={fetchSignIn}
          onClick={() => setRequested(true)}
        >
          {m.account_sign_in()}
        </Button>
      ) : (
        <Suspense fallback={null}>
          <AccountMenu key={token} />
        </Suspense>
      )}
      {request && (
        <Suspense fallback={null}>
          <SignIn onClose={() => setRequested(false)} />
        </Suspense>
      )}
    </span>
  );
}
