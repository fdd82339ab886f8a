import type { ReactNode } from 'react';
import { m } from '../words.ts';

/** Link to the sandbox's mailbox, filtered by the e-mail address `to` if it is known. Absent with real money. */
export function MailboxLink({ mode, to }: { mode: 'sandbox' | 'live'; to?: string }): ReactNode {
  if (mode !== 'sandbox') return null;
  const query = to === undefined ? '' : `?to=${encodeURIComponent(to)}`;
  return (
    <a className="link" href={`/sandbox/mail${query}`} target="_blank" rel="noopener">
      {m.sandbox_mailbox()}
    </a>
  );
}
