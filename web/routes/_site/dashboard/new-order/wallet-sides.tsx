import type { ReactNode } from 'react';
import { useMoneyText } from '../../../../features/money.tsx';
import { m } from '../../../../features/words.ts';
import { cx } from '../../../../ui/base/cx.ts';
import css from './wallet-sides.module.css';

export type Sides = 'give' | 'get' | 'both' | undefined;

const has = (sides: Sides, side: 'give' | 'get'): boolean => sides === side || sides === 'both';
const sidesOf = (isGive: boolean, isGet: boolean): Sides =>
  isGive && isGet ? 'both' : isGive ? 'give' : isGet ? 'get' : undefined;

/** Choices for an exchange: pay from outside or from the account's wallet, and receive outside or into the account's wallet. */
export function WalletSides({
  sides,
  available,
  onChange,
}: {
  sides: Sides;
  /** Available balance of the wallet that would pay, with its unit. */
  available: { readonly amount: string; readonly unit: string } | undefined;
  onChange: (sides: Sides) => void;
}): ReactNode {
  const moneyText = useMoneyText();
  const choice = (side: 'give' | 'get', words: { label: string; outside: string; wallet: string }): ReactNode => (
    <fieldset className={css['choice']}>
      <legend className="small soft">{words.label}</legend>
      <div className={css['options']}>
        {[false, true].map((isWallet) => (
          <label key={String(isWallet)} className={cx(css['option'], has(sides, side) === isWallet && css['chosen'])}>
            <input
              type="radio"
              name={`from-${side}`}
              checked={has(sides, side) === isWallet}
              onChange={() =>
                onChange(side === 'give' ? sidesOf(isWallet, has(sides, 'get')) : sidesOf(has(sides, 'give'), isWallet))
              }
            />
            <span>{isWallet ? words.wallet : words.outside}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
  return (
    <div className={cx('card', css['sides'])}>
      {choice('give', {
        label: m.sides_pay(),
        outside: m.sides_pay_outside(),
        wallet: available
          ? m.sides_pay_wallet({ amount: moneyText({ amount: available.amount, currency: available.unit }) })
          : m.sides_pay_wallet_any(),
      })}
      {choice('get', { label: m.sides_get(), outside: m.sides_get_outside(), wallet: m.sides_get_wallet() })}
    </div>
  );
}
