import type { ReactNode } from 'react';
import { Form, useNavigation } from 'react-router';
import { placed } from '../../../../features/rest-of.ts';
import { m } from '../../../../features/words.ts';
import { Button } from '../../../../ui/fields/button.tsx';
import { Message } from '../../../../ui/parts/message.tsx';
import { Select } from '../../../../ui/fields/select.tsx';
import css from './business.module.css';
import { Card } from './card.tsx';
import type { Stores } from './page.server.ts';
import { STORE_FIELDS, StoreFields } from './store-fields.tsx';
import { KIND_WORDS, type StoreKind } from './store-words.ts';
import { useAnswer } from './use-answer.ts';

/**
 * Form that creates a store of a kind that the account may create now. `isMain` is true if the page has no more important button.
 */
export function NewStore({
  stores,
  kind,
  formKey,
  isMain,
}: {
  stores: Stores;
  kind: StoreKind;
  formKey: string;
  isMain: boolean;
}): ReactNode {
  const answer = useAnswer('make');
  const busy = useNavigation().formData?.get('intent') === 'make';
  const rest = answer && placed(answer, ['kind', ...STORE_FIELDS]).rest;
  return (
    <Card id="new-store" title={m.stores_new()}>
      <Form method="post" noValidate className={css['form']}>
        <input type="hidden" name="intent" value="make" />
        <input type="hidden" name="key" value={formKey} />
        {rest !== undefined && <Message tone="error" isLive title={rest} />}
        <Select
          name="kind"
          label={m.store_kind()}
          defaultValue={answer?.values['kind'] ?? kind}
          error={answer?.errors?.['kind']?.[0]}
        >
          {stores.makeable.map((one) => (
            <option key={one} value={one}>
              {KIND_WORDS[one]()}
            </option>
          ))}
        </Select>
        <StoreFields choices={stores} answer={answer} />
        <div>
          <Button type="submit" look={isMain ? 'primary' : 'secondary'} busy={busy && m.account_saving()}>
            {m.stores_make()}
          </Button>
        </div>
      </Form>
    </Card>
  );
}
