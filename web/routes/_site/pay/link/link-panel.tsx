import type { ReactNode } from 'react';
import { Money, useMoneyText } from '../../../../features/money.tsx';
import { useSite } from '../../../../features/site.ts';
import { StoreMark, StorePanel } from '../../../../features/store/store-panel.tsx';
import { m } from '../../../../features/words.ts';
import { cx } from '../../../../ui/base/cx.ts';
import { Icon } from '../../../../ui/base/icon.tsx';
import panel from '../invoice-panel.module.css';
import type { LinkData } from './link-data.ts';
import css from './link-page.module.css';

/** Panel with the store, and the title, picture and sum of the link, in the store's colour. Only the server renders it. */
export function LinkPanel({ link, picture }: { link: LinkData['link']; picture: string | undefined }): ReactNode {
  const { store, title, currency, amount } = link;
  const { name } = useSite();
  return (
    <StorePanel colour={store.colour} className={cx(panel['cell'], store.colour !== undefined && panel['own'])}>
      <aside className={panel['panel']} aria-label={m.checkout_panel()}>
        <span className={panel['rosette']} aria-hidden="true" />
        <header className={panel['store']}>
          <StoreMark name={store.name} mark={store.mark} />
          <div>
            <p className={panel['name']}>{store.name}</p>
            <p className={cx(panel['host'], panel['dim'])}>{m.link_title()}</p>
          </div>
        </header>
        <div className={cx(panel['sum'], css['offer'])}>
          {picture !== undefined && (
            <img className={css['picture']} src={picture} crossOrigin="anonymous" alt="" width={240} height={240} />
          )}
          <div className={css['what']}>
            <p className={css['title']}>{title}</p>
            <p className={cx(amount === undefined ? css['bounds'] : panel['amount'], 'num')}>
              {amount === undefined ? <Bounds link={link} /> : <Money of={{ amount, currency }} look="large" />}
            </p>
          </div>
        </div>
        <p className={cx(panel['by'], panel['dim'])}>
          <Icon name="lock-simple" size={18} />
          <span>{m.checkout_by({ store: store.name, name })}</span>
        </p>
      </aside>
    </StorePanel>
  );
}

function Bounds({ link: { least = '0', most = '0', currency } }: { link: LinkData['link'] }): ReactNode {
  const text = useMoneyText();
  return m.link_bounds({ least: text({ amount: least, currency }), most: text({ amount: most, currency }) });
}
