import type { ReactNode } from 'react';
import { apiBase } from '../../../../features/api/address.ts';
import { useWork } from '../../../../features/account/sign-in/use-work.ts';
import { m } from '../../../../features/words.ts';
import { Button } from '../../../../ui/fields/button.tsx';
import { Message } from '../../../../ui/parts/message.tsx';
import { accountCalls } from './account-calls.ts';
import css from './account.module.css';
import { Section } from './section.tsx';

/** Section with a link that downloads all data of the account as a file. */
export function DataSection(): ReactNode {
  const { wrong, isBusy, run } = useWork([]);
  const download = (): void =>
    run(async () => {
      const { url } = await accountCalls.userExportTicket({});
      location.assign(apiBase() + url);
    });
  return (
    <Section title={m.data_title()} lead={m.data_lead()}>
      <div className={css['stack']}>
        {wrong.message && <Message tone="error" title={wrong.message} isLive />}
        <p>{m.data_text()}</p>
        <div>
          <Button look="secondary" icon="download-simple" busy={isBusy && m.data_preparing()} onClick={download}>
            {m.data_download()}
          </Button>
        </div>
      </div>
    </Section>
  );
}
