import type { ReactNode } from 'react';
import { useWork } from '../../../../features/account/sign-in/use-work.ts';
import { m } from '../../../../features/words.ts';
import { Button } from '../../../../ui/fields/button.tsx';
import { Message } from '../../../../ui/parts/message.tsx';
import { Pill } from '../../../../ui/parts/pill.tsx';
import css from './account.module.css';
import { Section } from './section.tsx';
import { securityClient } from './security-client.ts';

/** Section that shows the link to a Google account, and removes it. Rendered only if the account is linked. */
export function GoogleSection({ onChange }: { onChange: () => Promise<void> }): ReactNode {
  const { wrong, isBusy, run } = useWork();
  const unlink = (): void =>
    run(async () => {
      await securityClient.googleUnlink({});
      await onChange();
    });
  return (
    <Section anchor="google" title="Google" lead={m.google_linked_lead()}>
      {wrong.message && <Message tone="error" title={wrong.message} isLive />}
      <div className={css['row']}>
        <Pill tone="success" icon="check-circle">
          {m.google_linked()}
        </Pill>
        <Button look="secondary" size="small" busy={isBusy && m.account_saving()} onClick={unlink}>
          {m.google_unlink()}
        </Button>
      </div>
    </Section>
  );
}
