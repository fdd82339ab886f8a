import { type ReactNode, useRef } from 'react';
import { m } from '../../../../../../features/words.ts';
import { CopyButton } from '../../../../../../ui/parts/copyable.tsx';
import { Message } from '../../../../../../ui/parts/message.tsx';
import css from './webhooks.module.css';

/** Shows the secret of a webhook, once. `title`: what was done. */
export function SecretCard({ secret, title }: { readonly secret: string; readonly title: string }): ReactNode {
  const shown = useRef<HTMLElement>(null);
  return (
    <section className={`card pad ${css['secret']}`} aria-label={m.webhooks_secret()}>
      <Message tone="success" isLive title={title}>
        {m.webhooks_secret_once()}
      </Message>
      <p className={css['code']}>
        <code ref={shown}>{secret}</code>
      </p>
      <div>
        <CopyButton value={secret} words={{ copy: m.copy(), copied: m.copied() }} name={m.webhooks_secret()} selects={shown} />
      </div>
    </section>
  );
}
