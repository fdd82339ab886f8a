import { type ReactNode, useState } from 'react';
import { m } from '../../../../../features/words.ts';
import { Button } from '../../../../../ui/fields/button.tsx';
import { Message } from '../../../../../ui/parts/message.tsx';
import type { User } from '../../user.ts';
import css from '../account.module.css';
import { RecoveryCodes } from './recovery-codes.tsx';
import { Section } from '../section.tsx';
import { type Setup, securityClient } from '../security-client.ts';
import { SetupForm } from './setup-form.tsx';
import { useWork } from '../../../../../features/account/sign-in/use-work.ts';
import { SwitchedOn } from './switched-on.tsx';

/** Section about the second factor: sets it up, shows the recovery codes once, or switches the factor off. */
export function TwoFactorSection({ user, onChange }: { user: User; onChange: () => Promise<void> }): ReactNode {
  const [setup, setSetup] = useState<Setup>();
  const [made, setMade] = useState<{ readonly title: string; readonly codes: readonly string[] }>();
  const begin = useWork([]);
  const show = (title: string, codes: readonly string[]): void => {
    setSetup(undefined);
    setMade({ title, codes });
    void onChange().catch(() => undefined);
  };
  return (
    <Section anchor="two-factor" title={m.two_factor_title()} lead={m.two_factor_lead()}>
      <div className={`card pad ${css['stack']}`}>
        {made ? (
          <RecoveryCodes email={user.email} {...made} onStored={() => setMade(undefined)} />
        ) : user.two_factor_enabled ? (
          <SwitchedOn user={user} onChange={onChange} onCodes={(codes) => show(m.recovery_renewed(), codes)} />
        ) : setup ? (
          <SetupForm setup={setup} email={user.email} onEnabled={(codes) => show(m.recovery_on(), codes)} />
        ) : (
          <>
            {begin.wrong.message && <Message tone="error" title={begin.wrong.message} isLive />}
            <p>{m.two_factor_off_text()}</p>
            <div>
              <Button
                busy={begin.isBusy && m.code_checking()}
                onClick={() => begin.run(async () => setSetup(await securityClient.generate2fa({})))}
              >
                {m.two_factor_begin()}
              </Button>
            </div>
          </>
        )}
      </div>
    </Section>
  );
}
