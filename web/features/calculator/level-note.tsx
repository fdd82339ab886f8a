import type { ReactNode } from 'react';
import { pageUrl } from '../../routes/pages.ts';
import { useLocale } from '../../ui/base/locale.ts';
import { Message } from '../../ui/parts/message.tsx';
import { m } from '../words.ts';

/** Note that paying in a currency needs a verification level, with a link to the form that requests verification. */
export function LevelNote({ name, level }: { name: string; level: number }): ReactNode {
  const locale = useLocale();
  return (
    <Message tone="warning" title={m.calculator_level({ name })}>
      <p>{m.calculator_level_text({ level })}</p>
      <a className="link" href={pageUrl(locale, 'contact', { topic: 'verification' })}>
        {m.calculator_level_link()}
      </a>
    </Message>
  );
}
