import type { ReactNode } from 'react';
import { useSite } from '../../../../features/site.ts';
import { m } from '../../../../features/words.ts';
import { ButtonLink } from '../../../../ui/fields/button.tsx';
import { cx } from '../../../../ui/base/cx.ts';
import { Icon } from '../../../../ui/base/icon.tsx';
import type { IconName } from '../../../../ui/base/icons.ts';
import { pageUrl } from '../../../pages.ts';
import css from './business.module.css';
import type { OwnStore, StoreKind } from './store-words.ts';

interface KindText {
  readonly kind: StoreKind;
  readonly icon: IconName;
  readonly title: string;
  readonly lead: string;
  /** Features that work today. */
  readonly works: readonly string[];
}

const kinds = (): readonly KindText[] => [
  {
    kind: 'business',
    icon: 'storefront',
    title: m.business_kind_business(),
    lead: m.business_kind_business_lead(),
    works: [m.business_works_invoices(), m.business_works_several(), m.business_works_members(), m.business_works_keys()],
  },
  {
    kind: 'personal',
    icon: 'user',
    title: m.business_kind_personal(),
    lead: m.business_kind_personal_lead(),
    works: [m.business_works_invoices(), m.business_works_settings(), m.business_works_alone()],
  },
  {
    kind: 'test',
    icon: 'circle-dashed',
    title: m.business_kind_test(),
    lead: m.business_kind_test_lead(),
    works: [m.business_works_test_invoices(), m.business_works_three(), m.business_works_members(), m.business_works_test_keys()],
  },
];

/** Cards that explain a business, a personal store and a test store, with the features of each that work today. */
export function Kinds({ makeable, own }: { makeable: readonly StoreKind[]; own: readonly OwnStore[] }): ReactNode {
  return (
    <section aria-labelledby="kinds-title" className={css['kinds']}>
      <h2 className={cx('card-title', css['kindsTitle'])} id="kinds-title">
        {m.business_kinds()}
      </h2>
      <ul>
        {kinds().map(({ kind, icon, title, lead, works }) => (
          <li key={kind} className={cx('card', 'pad', css['kind'])}>
            <Icon name={icon} size={24} />
            <h3 className="card-title">{title}</h3>
            <p className="small soft">{lead}</p>
            <ul>
              {works.map((text) => (
                <li key={text}>
                  <Icon name="check" size={16} />
                  {text}
                </li>
              ))}
            </ul>
            <KindAction {...{ kind, own }} isMakeable={makeable.includes(kind)} />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Button that leads to the form of a kind; a note if the account can't make such a store now. */
function KindAction({ kind, own, isMakeable }: { kind: StoreKind; own: readonly OwnStore[]; isMakeable: boolean }): ReactNode {
  const { locale } = useSite();
  if (kind === 'business') return <ButtonLink href={pageUrl(locale, 'businessApply')}>{m.business_apply()}</ButtonLink>;
  if (isMakeable)
    return (
      <ButtonLink look="secondary" href={`${pageUrl(locale, 'business', { kind })}#new-store`}>
        {kind === 'test' ? m.business_make_test() : m.business_make_personal()}
      </ButtonLink>
    );
  const isThere = own.some((store) => store.kind === kind && store.role === 'owner');
  return <p className="small mute">{isThere ? m.business_kind_made() : m.business_kind_level()}</p>;
}
