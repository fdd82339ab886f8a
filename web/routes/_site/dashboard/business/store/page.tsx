import type { ReactNode } from 'react';
import { Form, useLoaderData, useNavigation } from 'react-router';
import { findCurrency, shortNameOf } from '../../../../../features/currency.ts';
import { placed } from '../../../../../features/rest-of.ts';
import { useSite } from '../../../../../features/site.ts';
import { m } from '../../../../../features/words.ts';
import { Button } from '../../../../../ui/fields/button.tsx';
import { Copyable } from '../../../../../ui/parts/copyable.tsx';
import { Message } from '../../../../../ui/parts/message.tsx';
import { writeTime } from '../../../../../ui/base/time.ts';
import type { Closed } from '../../../../closed.ts';
import { Section } from '../../account/section.tsx';
import { useUnitName } from '../../wallet/unit-name.ts';
import { STORE_FIELDS, StoreFields } from '../store-fields.tsx';
import { ROLE_WORDS } from '../store-words.ts';
import { useAnswer } from '../use-answer.ts';
import type { StoreData } from './own-store.ts';
import { StorePage } from './store-head.tsx';
import css from './store.module.css';

/** Settings of a store. Members who may not change them read them. */
export default function StoreSettingsPage(): ReactNode {
  const data = useLoaderData<StoreData | Closed>();
  return (
    <StorePage page="store" data={data}>
      {({ store, choices }) => (
        <div className={css['sections']}>
          {store.permissions.includes('store.manage') ? (
            <Section title={m.store_settings()} lead={m.store_settings_lead()}>
              <Settings store={store} choices={choices} />
            </Section>
          ) : (
            <Section title={m.store_settings()}>
              <Facts store={store} />
            </Section>
          )}
          <Section title={m.store_about()}>
            <About store={store} />
          </Section>
          {store.role !== 'owner' && (
            <Section title={m.store_leave()} lead={m.store_leave_lead()}>
              <Leave />
            </Section>
          )}
        </div>
      )}
    </StorePage>
  );
}

function Settings({ store, choices }: Pick<StoreData, 'store' | 'choices'>): ReactNode {
  const answer = useAnswer('settings');
  const busy = useNavigation().formData?.get('intent') === 'settings';
  const rest = answer && placed(answer, STORE_FIELDS).rest;
  return (
    <Form method="post" noValidate preventScrollReset className={css['form']}>
      <input type="hidden" name="intent" value="settings" />
      {rest !== undefined && <Message tone="error" isLive title={rest} />}
      {answer && answer.message === undefined && <Message tone="success" isLive title={m.about_saved()} />}
      <StoreFields store={store} choices={choices} answer={answer} />
      <div>
        <Button type="submit" busy={busy && m.account_saving()}>
          {m.about_save()}
        </Button>
      </div>
    </Form>
  );
}

function Facts({ store }: Pick<StoreData, 'store'>): ReactNode {
  const { currencies } = useSite();
  const facts = [
    [m.store_invoice_currency(), useUnitName()(store.invoice_currency)],
    [m.store_settlement_currency(), shortNameOf(findCurrency(currencies, store.settlement_currency), currencies)],
    [m.store_timezone(), store.timezone.replaceAll('_', ' ')],
  ] as const;
  return <FactList facts={facts} />;
}

/** Facts about a store that nobody changes: the reader's role, its age, and its id for programs. */
function About({ store }: Pick<StoreData, 'store'>): ReactNode {
  const { locale } = useSite();
  return (
    <>
      <FactList
        facts={[
          [m.store_role_own(), ROLE_WORDS[store.role]()],
          [m.store_made(), writeTime(store.created_at, locale)],
        ]}
      />
      <Copyable
        label={m.store_id()}
        value={store.id}
        hint={m.store_id_hint()}
        words={{ copy: m.copy(), copied: m.copied() }}
        isStacked
      />
    </>
  );
}

function FactList({ facts }: { facts: readonly (readonly [string, string])[] }): ReactNode {
  return (
    <dl className={css['facts']}>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function Leave(): ReactNode {
  const answer = useAnswer('leave');
  return (
    <Form method="post" className={css['form']}>
      {answer?.message !== undefined && <Message tone="error" isLive title={answer.message} />}
      <div>
        <Button type="submit" name="intent" value="leave" look="secondary">
          {m.store_leave()}
        </Button>
      </div>
    </Form>
  );
}
