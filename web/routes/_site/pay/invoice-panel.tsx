import type { ReactNode } from 'react';
import { Money } from '../../../features/money.tsx';
import { useSite } from '../../../features/site.ts';
import { StoreMark, StorePanel } from '../../../features/store/store-panel.tsx';
import { m } from '../../../features/words.ts';
import { cx } from '../../../ui/base/cx.ts';
import { trimZeros, writeDecimal } from '../../../ui/base/amount.ts';
import { Icon } from '../../../ui/base/icon.tsx';
import { useLocale } from '../../../ui/base/locale.ts';
import { productOf } from './exact.ts';
import type { Invoice } from './pay-data.ts';
import css from './invoice-panel.module.css';

/** Number of lines of an invoice that are shown without opening the rest. */
const SHOWN_LINES = 4;

/** Panel with the store and what is paid for, in the store's colour. Only the server renders it. */
export function InvoicePanel({ invoice }: { invoice: Invoice }): ReactNode {
  const { store, number, description, order_id: order, amount: sum = invoice.stated } = invoice;
  const { name } = useSite();
  return (
    <StorePanel colour={store.colour} className={cx(css['cell'], store.colour !== undefined && css['own'])}>
      <aside className={css['panel']} aria-label={m.checkout_panel()}>
        <span className={css['rosette']} aria-hidden="true" />
        <header className={css['store']}>
          <StoreMark name={store.name} mark={store.mark} />
          <div>
            <p className={css['name']}>{store.name}</p>
            <ShopHost url={invoice.return_url} />
          </div>
        </header>
        <div className={css['sum']}>
          <p className={cx(css['dim'], css['order'], 'num')}>
            {[m.checkout_head({ number }), ...(order === undefined ? [] : [m.checkout_order({ id: order })])].join(' · ')}
          </p>
          <p className={css['amount']}>
            {sum === undefined ? m.checkout_any() : <Money of={{ amount: sum, currency: invoice.currency }} look="large" />}
          </p>
          {description !== undefined && <p className={css['description']}>{description}</p>}
        </div>
        <Lines invoice={invoice} />
        <p className={cx(css['by'], css['dim'])}>
          <Icon name="lock-simple" size={18} />
          <span>{m.checkout_by({ store: store.name, name })}</span>
        </p>
      </aside>
    </StorePanel>
  );
}

/** Host of the shop to which the buyer returns. */
function ShopHost({ url }: { url: string | undefined }): ReactNode {
  const host = url === undefined ? undefined : URL.parse(url)?.host;
  return host && <p className={cx(css['host'], css['dim'])}>{host}</p>;
}

/** Lines of the invoice with their sums, the tax within, and the total. */
function Lines({ invoice: { lines, tax, amount, currency } }: { invoice: Invoice }): ReactNode {
  const locale = useLocale();
  const rest = lines.slice(SHOWN_LINES);
  const draw = (shown: Invoice['lines'], from: number): ReactNode =>
    shown.map((line, index) => (
      <div key={`${from + index} ${line.name}`} className={css['line']}>
        <dt>
          {line.name}
          {trimZeros(line.quantity, 0) !== '1' && (
            <span className={cx(css['count'], 'num')}>
              {`, ${writeDecimal(trimZeros(line.quantity, 0), locale)} × `}
              <Money of={{ amount: line.unit_price, currency }} hasCode={false} />
            </span>
          )}
        </dt>
        <dd>
          <Money of={{ amount: productOf(line.quantity, line.unit_price), currency }} hasCode={false} />
        </dd>
      </div>
    ));
  if (lines.length === 0 && tax === undefined) return null;
  return (
    <div className={css['lines']}>
      <dl>{draw(lines.slice(0, SHOWN_LINES), 0)}</dl>
      {rest.length > 0 && (
        <details className={css['more']}>
          <summary>
            {m.checkout_more({ count: rest.length })}
            <Icon name="caret-down" size={16} />
          </summary>
          <dl>{draw(rest, SHOWN_LINES)}</dl>
        </details>
      )}
      <dl className={css['totals']}>
        {tax !== undefined && (
          <div className={cx(css['line'], css['tax'])}>
            <dt>{m.checkout_tax()}</dt>
            <dd>
              <Money of={{ amount: tax, currency }} hasCode={false} />
            </dd>
          </div>
        )}
        {amount !== undefined && (
          <div className={cx(css['line'], css['total'])}>
            <dt>{m.checkout_total()}</dt>
            <dd>
              <Money of={{ amount, currency }} />
            </dd>
          </div>
        )}
      </dl>
    </div>
  );
}
