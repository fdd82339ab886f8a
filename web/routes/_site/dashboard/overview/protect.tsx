import type { ReactNode } from 'react';
import { useSite } from '../../../../features/site.ts';
import { m } from '../../../../features/words.ts';
import { Icon } from '../../../../ui/base/icon.tsx';
import { pageUrl } from '../../../pages.ts';
import type { AccountAnchor } from '../account/section.tsx';
import css from './overview.module.css';
import type { Protection } from './page.server.ts';

/** Card with the protections of the account and its money: those that are on, and links to switch on the others. */
export function Protect({ protection: { hasEmail, hasFactor, hasAllowList } }: { protection: Protection }): ReactNode {
  return (
    <section className="card pad" aria-labelledby="protect-title">
      <h2 className="card-title" id="protect-title">
        {m.protect_title()}
      </h2>
      <ul className={css['steps']}>
        <Step isOn={hasEmail} at="email" is={m.protect_email()} not={m.protect_email_not()} act={m.protect_confirm()} />
        <Step isOn={hasFactor} at="two-factor" is={m.protect_factor()} not={m.protect_factor_not()} act={m.protect_turn_on()} />
        <Step isOn={hasAllowList} at="addresses" is={m.protect_list()} not={m.protect_list_not()} act={m.protect_add()} />
      </ul>
    </section>
  );
}

function Step({
  isOn,
  at,
  is,
  not,
  act,
}: {
  isOn: boolean;
  /** Section of the account page where this protection is switched on. */
  at: AccountAnchor;
  is: string;
  not: string;
  act: string;
}): ReactNode {
  const { locale } = useSite();
  return (
    <li className={isOn ? 'mute' : undefined}>
      <Icon name={isOn ? 'check-circle-fill' : 'circle-dashed'} className={isOn ? css['done'] : 'mute'} />
      <span>{isOn ? is : not}</span>
      {!isOn && (
        <a className="link small" href={`${pageUrl(locale, 'account')}#${at}`} aria-label={`${act}: ${not}`}>
          {act}
        </a>
      )}
    </li>
  );
}
