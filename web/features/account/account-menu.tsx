import type { Output, Routes } from '@kurs/contract';
import { type ReactNode, useEffect, useState } from 'react';
import { Icon } from '../../ui/base/icon.tsx';
import { useLocale } from '../../ui/base/locale.ts';
import { m } from '../words.ts';
import { storeToken } from './access-token.ts';
import { accountClient } from './account-client.ts';
import { apiBase } from '../api/address.ts';
import css from './account-menu.module.css';

type User = Output<Routes['userInfo']>;

/** Menu of the signed-in account. Removes a token that is no longer valid. */
export function AccountMenu(): ReactNode {
  const locale = useLocale();
  const [user, setUser] = useState<User>();
  useEffect(() => {
    accountClient.userInfo({}).then(setUser, () => storeToken(null));
  }, []);
  const signOut = (): void => {
    // This browser is signed out even if the call fails.
    void accountClient.logout({}).catch(() => undefined);
    storeToken(null);
  };
  if (!user) return null;
  return (
    <details className={css['menu']} name="menu">
      <summary className={css['summary']} aria-label={m.account_menu({ email: user.email })}>
        <span className={css['avatar']} aria-hidden="true">
          {user.avatar === null ? (
            [...(user.name || user.email)][0]?.toUpperCase()
          ) : (
            <img src={apiBase() + user.avatar} crossOrigin="anonymous" alt="" width={36} height={36} />
          )}
        </span>
        <Icon name="caret-down" size={16} />
      </summary>
      <div className={css['list']}>
        <p className={css['email']}>{user.email}</p>
        <a className={css['item']} href={`/${locale === 'ru' ? 'Ru' : 'En'}/dashboard`}>
          {m.dashboard_open()}
        </a>
        <button type="button" className={css['item']} onClick={signOut}>
          {m.account_sign_out()}
        </button>
      </div>
    </details>
  );
}
