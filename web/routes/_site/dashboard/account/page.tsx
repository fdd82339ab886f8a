import { type ReactNode, useState } from 'react';
import { accountClient } from '../../../../features/account/account-client.ts';
import { FrozenMessage } from '../../../../features/account/sign-in/frozen-note.tsx';
import { m } from '../../../../features/words.ts';
import { Skeleton } from '../frame/skeleton.tsx';
import { useSetUser, useUser } from '../user.ts';
import css from './account.module.css';
import { AboutSection } from './about-section.tsx';
import { BookSection } from './book/book-section.tsx';
import { CloseSection } from './close-section.tsx';
import { DataSection } from './data-section.tsx';
import { EmailSection } from './email-section.tsx';
import { GoogleSection } from './google-section.tsx';
import { KeysSection } from './keys/keys-section.tsx';
import { PasswordSection } from './password-section.tsx';
import { SessionsSection } from './sessions-section.tsx';
import { TwoFactorSection } from './second-factor/two-factor-section.tsx';

/**
 * Page with the account's settings: profile, e-mail address, sign-in, second factor, address book, keys, sessions and closing.
 */
export default function AccountPage(): ReactNode {
  const user = useUser();
  const setUser = useSetUser();
  // Number of changes that ended sessions. The list of sessions is loaded again after each such change.
  const [round, setRound] = useState(0);
  const refresh = async (): Promise<void> => {
    setRound((rounds) => rounds + 1);
    setUser(await accountClient.userInfo({}));
  };
  return (
    <>
      <h1 className="title">{m.dashboard_account()}</h1>
      {user?.frozen_until != null && user.frozen_because !== null && (
        <div className={css['frozen']}>
          <FrozenMessage until={user.frozen_until} because={user.frozen_because} />
        </div>
      )}
      {user ? (
        <>
          <AboutSection user={user} onUser={setUser} />
          <EmailSection user={user} onUser={setUser} onChange={refresh} />
          <PasswordSection user={user} onChange={refresh} />
          {user.google_linked && <GoogleSection onChange={refresh} />}
          <TwoFactorSection user={user} onChange={refresh} />
          <BookSection user={user} />
          <SessionsSection key={round} />
          <KeysSection user={user} />
          <DataSection />
          <CloseSection user={user} onUser={setUser} />
        </>
      ) : (
        <div className={css['waiting']}>
          <Skeleton rows={9} />
        </div>
      )}
    </>
  );
}
