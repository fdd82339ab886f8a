import type { ReactNode } from 'react';
import { m } from '../words.ts';

/** Leads to the mailbox of a sandbox, to the letters of one address where that is known. With real money there is none. */
export function MailboxLink({ mode, to }: { mode: 'sandbox' | 'live'; to?: string }): ReactNode {
  if (mode !== 'sandbox') return null;
  const query = to === undefined ? '' : `?to=${encodeURIComponent(to)}`;
  return (
    <a className="link" href={`/sandbox/mail${query}`} target="_blank" rel="noopener">
      {m.sandbox_mailbox()}
    </a>
  );
}
