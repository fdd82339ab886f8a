import type { ReactNode } from 'react';
import { Choice } from '../../../../../../ui/fields/choice.tsx';
import { m } from '../../../../../../features/words.ts';
import { Checkbox } from '../../../../../../ui/fields/field.tsx';
import { EVENTS_OF, TICK } from './events.ts';
import css from './webhooks.module.css';
import type { WebhookBody } from './webhook-words.ts';

/** Choice of all events or of some, which are then ticked. `chosen`: the present ones; undefined for all. */
export function EventFields({
  body,
  chosen,
  error,
}: {
  readonly body: WebhookBody;
  readonly chosen: readonly string[] | undefined;
  readonly error: string | undefined;
}): ReactNode {
  return (
    <div className={css[body]}>
      <Choice
        name={`which_${body}`}
        label={m.webhooks_events()}
        defaultValue={chosen ? 'some' : 'all'}
        error={error}
        options={[
          { value: 'all', label: m.webhooks_events_all() },
          { value: 'some', label: m.webhooks_events_some() },
        ]}
      >
        <fieldset className={css['events']}>
          <legend className="sr">{m.webhooks_events()}</legend>
          {EVENTS_OF[body].map((event) => (
            <Checkbox key={event} name={TICK + event} defaultChecked={chosen?.includes(event) ?? false}>
              <code>{event}</code>
            </Checkbox>
          ))}
        </fieldset>
      </Choice>
    </div>
  );
}
