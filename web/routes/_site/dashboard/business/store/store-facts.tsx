import type { ReactNode } from 'react';
import { findCurrency, shortNameOf } from '../../../../../features/currency.ts';
import { useSite } from '../../../../../features/site.ts';
import { m } from '../../../../../features/words.ts';
import { writePercent } from '../../../../../ui/base/amount.ts';
import { writeTime } from '../../../../../ui/base/time.ts';
import { Copyable } from '../../../../../ui/parts/copyable.tsx';
import { useUnitName } from '../../wallet/unit-name.ts';
import { BEARER_WORDS, type OwnStore, ROLE_WORDS, SHORT_WORDS, durationOf } from '../store-words.ts';
import css from './store.module.css';

/** Settings of a store, for members who may not change them. */
export function SettingFacts({ store }: { store: OwnStore }): ReactNode {
  const { currencies, locale } = useSite();
  const unitName = useUnitName();
  const nameOf = (code: string): string => shortNameOf(findCurrency(currencies, code), currencies);
  const facts: (readonly [string, string])[] = [
    [m.store_invoice_currency(), unitName(store.invoice_currency)],
    [m.store_settlement_currency(), nameOf(store.settlement_currency)],
    [m.store_costs(), BEARER_WORDS[store.costs_bearer]()],
    [m.store_tolerance(), writePercent(store.tolerance, locale)],
    [m.store_life(), durationOf(store.life_minutes, locale)],
    [m.store_short(), SHORT_WORDS[store.short_preset]()],
    [m.store_methods(), store.methods?.map(nameOf).join(', ') ?? m.store_methods_all()],
    ...(store.return_url === undefined ? [] : [[m.store_return(), store.return_url] as const]),
    [m.store_timezone(), store.timezone.replaceAll('_', ' ')],
  ];
  return <FactList facts={facts} />;
}

/** Facts about a store that nobody changes: the reader's role, its age, and its id for programs. */
export function AboutStore({ store }: { store: OwnStore }): ReactNode {
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
