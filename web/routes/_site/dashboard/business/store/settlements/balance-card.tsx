import { type ReactNode, useState } from 'react';
import { coinOf, tickerOf } from '../../../../../../features/currency.ts';
import { Money } from '../../../../../../features/money.tsx';
import { m } from '../../../../../../features/words.ts';
import { useCurrency } from '../../../../../../features/use-currency.ts';
import { Coin } from '../../../../../../ui/base/icon.tsx';
import { Button } from '../../../../../../ui/fields/button.tsx';
import { Message } from '../../../../../../ui/parts/message.tsx';
import { isZero } from '../../../wallet/worth.ts';
import { useUser } from '../../../user.ts';
import { Card } from '../../card.tsx';
import { MoveForm } from './move-form.tsx';
import type { SettlementsData, UnitBalance } from './page.server.ts';
import css from './settlements.module.css';

/** Card with the store's balance of each currency. */
export function BalanceCard({ data }: { data: SettlementsData }): ReactNode {
  const { balance, store } = data;
  return (
    <Card id="balance" title={m.settlements_balance()}>
      <ul className={css['units']}>
        {balance.balances.map((one) => (
          <UnitRow key={one.currency} of={one} data={data} />
        ))}
      </ul>
      <p className={css['limit']}>
        {store.kind === 'personal' ? (
          m.settlements_personal()
        ) : (
          <>
            {m.settlements_limit()} <Money of={{ amount: balance.left_usd, currency: 'USD' }} />
            {balance.limit_usd !== undefined && (
              <>
                {' '}
                {m.settlements_limit_of()} <Money of={{ amount: balance.limit_usd, currency: 'USD' }} />
              </>
            )}
          </>
        )}
      </p>
    </Card>
  );
}

type Open = 'to_wallet' | 'to_store';

/** Balance of one currency, what of it can be moved and why the rest waits. Its buttons open the form of a move. */
function UnitRow({ of: one, data }: { of: UnitBalance; data: SettlementsData }): ReactNode {
  const [open, setOpen] = useState<Open>();
  const [done, setDone] = useState<Open>();
  const user = useUser();
  const currency = useCurrency(one.currency);
  const { store, wallets } = data;
  const mayMove = store.permissions.includes('settlement.move') && user !== undefined;
  const max = open === 'to_wallet' ? one.movable : (wallets[one.currency] ?? '0');
  const close = (direction?: Open): void => {
    setOpen(undefined);
    setDone(direction);
  };
  return (
    <li className={css['unit']}>
      <div className={css['row']}>
        <Coin {...coinOf(one.currency)} size={32} />
        <span className={css['sum']}>
          <span className="small soft">{tickerOf(currency)}</span>
          <b>
            <Money of={{ amount: one.balance, currency: one.currency }} />
          </b>
        </span>
        {mayMove && open === undefined && (
          <span className={css['acts']}>
            {!isZero(one.movable) && (
              <Button size="small" onClick={() => setOpen('to_wallet')}>
                {m.settlements_move()}
              </Button>
            )}
            {!isZero(wallets[one.currency] ?? '0') && (
              <Button size="small" look="secondary" onClick={() => setOpen('to_store')}>
                {m.settlements_move_back()}
              </Button>
            )}
          </span>
        )}
      </div>
      <Parts of={one} />
      {done && (
        <Message tone="success" isLive title={done === 'to_wallet' ? m.settlements_moved() : m.settlements_moved_back()} />
      )}
      {open && user && <MoveForm {...{ user, direction: open, store: store.id, unit: one.currency, max }} onEnd={close} />}
    </li>
  );
}

/** List of the parts of a balance: what can be moved now, and why the rest waits. The reserve and a debt stand beside it. */
function Parts({ of: one }: { of: UnitBalance }): ReactNode {
  const parts = [
    [m.settlements_movable(), one.movable, undefined],
    [m.settlements_not_deep(), one.not_deep, m.settlements_not_deep_why()],
    [m.settlements_over(), one.over_limit, m.settlements_over_why()],
    [m.settlements_reserve(), one.reserve, m.settlements_reserve_why()],
    [m.settlements_debt(), one.debt, m.settlements_debt_why()],
  ] as const;
  return (
    <dl className={css['parts']}>
      {parts.map(([name, amount, why], at) =>
        at > 0 && isZero(amount) ? null : (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <Money of={{ amount, currency: one.currency }} look="quiet" />
              {why !== undefined && <small>{why}</small>}
            </dd>
          </div>
        ),
      )}
    </dl>
  );
}
