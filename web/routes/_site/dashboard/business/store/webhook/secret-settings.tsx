import type { ReactNode } from 'react';
import { Form } from 'react-router';
import { useSite } from '../../../../../../features/site.ts';
import { m } from '../../../../../../features/words.ts';
import { writeTime } from '../../../../../../ui/base/time.ts';
import { Button } from '../../../../../../ui/fields/button.tsx';
import { Card } from '../../card.tsx';
import type { Webhook } from '../webhooks/webhook-words.ts';
import css from './webhook.module.css';

/** Buttons that give a webhook a new secret, and that end the former one. */
export function SecretSettings({ webhook: { former_secret_until: until } }: { webhook: Webhook }): ReactNode {
  const { locale } = useSite();
  return (
    <Card id="secret" title={m.webhooks_secret()}>
      <div className={css['secret']}>
        <p className="small soft">{m.webhooks_secret_lead()}</p>
        {until !== undefined && <p className="small">{m.webhooks_former_until({ time: writeTime(until, locale) })}</p>}
        <div className={css['actions']}>
          <Form method="post" preventScrollReset>
            <input type="hidden" name="intent" value="rotate" />
            <Button type="submit" look="secondary" size="small">
              {m.webhooks_rotate()}
            </Button>
          </Form>
          {until !== undefined && (
            <Form method="post" preventScrollReset>
              <input type="hidden" name="intent" value="end" />
              <Button type="submit" look="danger" size="small">
                {m.webhooks_end_former()}
              </Button>
            </Form>
          )}
        </div>
      </div>
    </Card>
  );
}
