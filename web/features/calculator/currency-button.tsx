import { type ReactNode, Suspense, lazy, useState } from 'react';
import { useHydrated } from '../../ui/base/clock.ts';
import { Coin, Icon } from '../../ui/base/icon.tsx';
import { type Currency, coinOf, findCurrency, labelsOf } from '../currency.ts';
import { useSite } from '../site.ts';
import { m } from '../words.ts';
import { choicesOf } from './choose-pair.ts';
import css from './currency-button.module.css';
import type { Direction, Side } from './price-breakdown.ts';

const loadPicker = (): Promise<typeof import('./currency-picker.tsx')> => import('./currency-picker.tsx');
const CurrencyPicker = lazy(async () => ({ default: (await loadPicker()).CurrencyPicker }));

/** Prefetches the script of the currency picker. If that fails, the script is loaded when the picker is opened. */
const fetchPicker = (): void => void loadPicker().catch(() => undefined);

/**
 * Button with the currency of one side, which opens the picker. Without scripts it is a plain select field with the same look, so
 * that the form works.
 */
export function CurrencyButton({
  side,
  code,
  directions,
  onPick,
}: {
  side: Side;
  code: string;
  directions: readonly Direction[];
  onPick: (code: string) => void;
}): ReactNode {
  const [open, setOpen] = useState(false);
  const [request, setRequested] = useState(false);
  const hydrated = useHydrated();
  const { currencies } = useSite();
  const label = labelOf(side);
  if (!hydrated) {
    return (
      <span className={css['button']}>
        <NativeList side={side} code={code} directions={directions} currencies={currencies} />
      </span>
    );
  }
  return (
    <>
      <input type="hidden" name={nameOf(side)} value={code} />
      <button
        type="button"
        className={css['button']}
        aria-haspopup="dialog"
        onPointerEnter={fetchPicker}
        onFocus={fetchPicker}
        onClick={() => {
          setRequested(true);
          setOpen(true);
        }}
      >
        <span className="sr">{label}: </span>
        <Looks currency={findCurrency(currencies, code)} />
      </button>
      {request && (
        <Suspense fallback={null}>
          <CurrencyPicker
            isOpen={open}
            title={label}
            choices={choicesOf(directions, side)}
            current={code}
            onClose={() => setOpen(false)}
            onPick={(picked) => {
              setOpen(false);
              onPick(picked);
            }}
          />
        </Suspense>
      )}
    </>
  );
}

interface ListProps {
  readonly side: Side;
  readonly code: string;
  readonly directions: readonly Direction[];
  readonly currencies: readonly Currency[];
}

const nameOf = (side: Side): string => (side === 'give' ? 'from' : 'to');
const labelOf = (side: Side): string => (side === 'give' ? m.picker_give() : m.picker_get());

function NativeList({ side, code, directions, currencies }: ListProps): ReactNode {
  return (
    <>
      <Looks currency={findCurrency(currencies, code)} />
      <select className={css['native']} name={nameOf(side)} defaultValue={code} aria-label={labelOf(side)}>
        {choicesOf(directions, side).map((choice) => (
          <option key={choice.code} value={choice.code} disabled={!choice.isOpen}>
            {Object.values(labelsOf(findCurrency(currencies, choice.code))).join(' ')}
          </option>
        ))}
      </select>
    </>
  );
}

function Looks({ currency }: { currency: Currency }): ReactNode {
  const { title, note } = labelsOf(currency);
  return (
    <>
      <Coin {...coinOf(currency.code)} />
      <span className={css['names']}>
        {`${title} `}
        <small>{note}</small>
      </span>
      <Icon name="caret-down" size={16} className={css['caret']} />
    </>
  );
}
