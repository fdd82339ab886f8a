import type { ReactNode } from 'react';
import { shortNameOf, findCurrency } from '../../../../features/currency.ts';
import { useSite } from '../../../../features/site.ts';
import { m } from '../../../../features/words.ts';
import { cx } from '../../../../ui/base/cx.ts';
import { Pill } from '../../../../ui/parts/pill.tsx';
import { pageUrl } from '../../../pages.ts';
import { useUnitName } from '../wallet/unit-name.ts';
import css from './business.module.css';
import { Card } from './card.tsx';
import { StorePills } from './store-pills.tsx';
import { tabUrl, tabsOf } from './store-tabs.ts';
import { type OwnStore, ROLE_WORDS } from './store-words.ts';

/** Stores in which the account holder has a role, with links to the parts that the role permits. */
export function StoreList({ stores }: { stores: readonly OwnStore[] }): ReactNode {
  return (
    <Card id="stores" title={m.stores_title()}>
      {stores.length === 0 ? (
        <p className={cx('soft', css['empty'])}>{m.stores_none()}</p>
      ) : (
        <ul className={css['rows']}>
          {stores.map((store) => (
            <StoreRow key={store.id} store={store} />
          ))}
        </ul>
      )}
    </Card>
  );
}

function StoreRow({ store }: { store: OwnStore }): ReactNode {
  const { locale, currencies } = useSite();
  const unitName = useUnitName();
  const { id, name, role } = store;
  const settled = shortNameOf(findCurrency(currencies, store.settlement_currency), currencies);
  return (
    <li>
      <div className={css['what']}>
        <a className={css['name']} href={pageUrl(locale, 'store', { id })}>
          {name}
        </a>
        <span className="tiny mute">
          {m.stores_currencies({ invoices: unitName(store.invoice_currency), settlement: settled })}
        </span>
        <span className={css['pills']}>
          <StorePills store={store} />
          <Pill tone="neutral" icon="user">
            {ROLE_WORDS[role]()}
          </Pill>
        </span>
      </div>
      <nav className={css['links']} aria-label={name}>
        {tabsOf(store).map(({ page, word }) => (
          <a key={page} className="link" href={tabUrl(locale, page, id)}>
            {word()}
          </a>
        ))}
      </nav>
    </li>
  );
}
