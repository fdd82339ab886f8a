import { type ReactNode, Suspense, lazy, useState } from 'react';
import { useLoaderData } from 'react-router';
import { useAccessToken } from '../../../features/account/access-token.ts';
import { SignIn } from '../../../features/account/account-button.tsx';
import blocks from '../../../features/blocks/blocks.module.css';
import { ServerPart } from '../../../features/server-part.tsx';
import { useSite } from '../../../features/site.ts';
import { m } from '../../../features/words.ts';
import { cx } from '../../../ui/base/cx.ts';
import { useTitle } from '../../../ui/base/title.ts';
import { Button } from '../../../ui/fields/button.tsx';
import { Slip } from '../../../ui/parts/slip.tsx';
import { Main } from '../layout.tsx';
import type { EarnData } from './page.server.tsx';
import css from './earn.module.css';

// Parts for signed-in account holders, whose code is loaded only for them.
const Play = lazy(async () => ({ default: (await import('./play.tsx')).Play }));
const Yours = lazy(async () => ({ default: (await import('./own-winnings.tsx')).Yours }));

/** Page of draws and tasks. The server renders the rules, the browser the account's own part. Always loaded as a document. */
export default function EarnPage(): ReactNode {
  const { head, isOpen, minToWallet } = useLoaderData<EarnData>();
  const token = useAccessToken();
  useTitle(head.title, useSite().name);
  return (
    <Main className={css['page']}>
      <div className={blocks['hero']}>
        <div className={blocks['rosette']} aria-hidden="true" />
        <div className={cx('wrap', blocks['split'])}>
          <ServerPart name="intro" />
          <div className={blocks['beside']}>
            <Slip labelledBy="draw-title">
              <h2 className={css['slipTitle']} id="draw-title">
                {m.earn_draw_title()}
              </h2>
              <ServerPart name="prizes" />
              {token === null ? (
                <AskToSignIn />
              ) : (
                <Suspense fallback={null}>
                  <Play key={token} isOpen={isOpen} />
                </Suspense>
              )}
            </Slip>
          </div>
        </div>
      </div>
      {token !== null && (
        <Suspense fallback={null}>
          <Yours key={token} minToWallet={minToWallet} />
        </Suspense>
      )}
      <ServerPart name="story" className="below" />
    </Main>
  );
}

/** Button to sign in, shown to visitors. */
function AskToSignIn(): ReactNode {
  const [request, setRequested] = useState(false);
  return (
    <div className={css['play']}>
      <Button isWide size="large" onClick={() => setRequested(true)}>
        {m.earn_sign_in()}
      </Button>
      {request && (
        <Suspense fallback={null}>
          <SignIn onClose={() => setRequested(false)} />
        </Suspense>
      )}
    </div>
  );
}
