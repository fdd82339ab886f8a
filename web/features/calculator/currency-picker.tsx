/* eslint-disable jsx-a11y/prefer-tag-over-role, jsx-a11y/click-events-have-key-events -- The combobox pattern of ARIA 1.2:
   the field keeps the focus and handles the keys; aria-activedescendant names the active option. */
import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react';
import { cx } from '../../ui/base/cx.ts';
import { useDesktop } from '../../ui/base/desktop.ts';
import { Dialog } from '../../ui/parts/dialog.tsx';
import { Coin, Icon } from '../../ui/base/icon.tsx';
import { type Currency, coinOf, findCurrency, labelsOf } from '../currency.ts';
import { useSite } from '../site.ts';
import { m } from '../words.ts';
import css from './currency-picker.module.css';

interface Choice {
  readonly code: string;
  readonly isOpen: boolean;
}
type Kind = 'all' | Currency['kind'];

interface PickerProps {
  readonly isOpen: boolean;
  readonly title: string;
  readonly choices: readonly Choice[];
  readonly current: string;
  readonly onClose: () => void;
  readonly onPick: (code: string) => void;
}

/**
 * Dialog to choose a currency, with a search by name, code or network, and a tab for each kind. Closed currencies are listed,
 * too, with the reason.
 */
export function CurrencyPicker(props: PickerProps): ReactNode {
  return (
    <Dialog isOpen={props.isOpen} onClose={props.onClose} title={props.title} closeLabel={m.close()} isFlush>
      <PickerList {...props} />
    </Dialog>
  );
}

function PickerList({ choices, current, onPick }: PickerProps): ReactNode {
  const { currencies } = useSite();
  const [query, setQuery] = useState('');
  const [kind, setKind] = useState<Kind>('all');
  const [at, setAt] = useState(() =>
    Math.max(
      0,
      choices.findIndex(({ code }) => code === current),
    ),
  );
  const listId = useId();
  const list = useRef<HTMLDivElement>(null);
  const rows = choices
    .map((choice) => ({ ...choice, currency: findCurrency(currencies, choice.code) }))
    .filter(({ currency }) => (kind === 'all' || currency.kind === kind) && matches(currency, query));
  const kinds = new Set(choices.map(({ code }) => findCurrency(currencies, code).kind));
  const active = rows[Math.min(at, rows.length - 1)];

  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      const next = Math.min(rows.length - 1, Math.max(0, at + step));
      setAt(next);
      list.current?.children[next]?.scrollIntoView({ block: 'nearest' });
    } else if (event.key === 'Enter') {
      event.preventDefault();
      if (active?.isOpen) onPick(active.code);
    }
  };
  return (
    <>
      <div className={css['search']}>
        <SearchBox
          query={query}
          listId={listId}
          activeCode={active?.code}
          onQuery={(typed) => {
            setQuery(typed);
            setAt(0);
          }}
          onKeyDown={onKeyDown}
        />
        {kinds.size > 1 && <KindTabs kind={kind} onKind={setKind} />}
      </div>
      <div ref={list} id={listId} className={css['list']} role="listbox" aria-label={m.picker_search()}>
        {rows.map((row) => (
          <Option
            key={row.code}
            id={`${listId}-${row.code}`}
            row={row}
            isCurrent={row.code === current}
            isActive={row.code === active?.code}
            onPick={onPick}
          />
        ))}
        {rows.length === 0 && <p className={css['nothing']}>{m.nothing_matches()}</p>}
      </div>
    </>
  );
}

/** Search field above the list of currencies. It keeps the focus, and tells screen readers the active option. */
function SearchBox({
  query,
  listId,
  activeCode,
  onQuery,
  onKeyDown,
}: {
  query: string;
  listId: string;
  /** Currency that Enter picks; undefined if no currency matches. */
  activeCode: string | undefined;
  onQuery: (typed: string) => void;
  onKeyDown: (event: KeyboardEvent) => void;
}): ReactNode {
  const typesAtOnce = useDesktop();
  return (
    <div className={css['box']}>
      <Icon name="magnifying-glass" />
      <input
        type="text"
        role="combobox"
        aria-expanded
        aria-controls={listId}
        aria-activedescendant={activeCode === undefined ? undefined : `${listId}-${activeCode}`}
        aria-label={m.picker_search()}
        placeholder={m.picker_search()}
        autoComplete="off"
        // Only desktops focus the field: on a phone, the keyboard would cover the list.
        data-focus={typesAtOnce || undefined}
        value={query}
        onChange={(event) => onQuery(event.target.value)}
        onKeyDown={onKeyDown}
      />
    </div>
  );
}

/** Buttons that limit the list to one kind of currency. */
function KindTabs({ kind, onKind }: { kind: Kind; onKind: (kind: Kind) => void }): ReactNode {
  return (
    <fieldset className={css['kinds']}>
      <legend className="sr">{m.picker_kinds()}</legend>
      {(['all', 'crypto', 'ewallet'] as const).map((one) => (
        <button key={one} type="button" aria-pressed={one === kind} onClick={() => onKind(one)}>
          {{ all: m.picker_all, crypto: m.picker_crypto, ewallet: m.picker_ewallet }[one]()}
        </button>
      ))}
    </fieldset>
  );
}

/** One currency in the list. A closed currency is shown but can't be picked. */
function Option({
  id,
  row: { code, isOpen, currency },
  isCurrent,
  isActive,
  onPick,
}: {
  id: string;
  row: Choice & { readonly currency: Currency };
  isCurrent: boolean;
  isActive: boolean;
  onPick: (code: string) => void;
}): ReactNode {
  return (
    <div
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={isCurrent}
      aria-disabled={!isOpen || undefined}
      className={cx(css['row'], isActive && css['active'], !isOpen && css['closed'])}
      onClick={() => isOpen && onPick(code)}
    >
      <Coin {...coinOf(code)} size={36} />
      <span className={css['names']}>
        <b>
          {currency.name} <span>{labelsOf(currency).title === currency.name ? labelsOf(currency).note : currency.asset}</span>
        </b>
        <small>{isOpen ? currency.network : m.picker_closed()}</small>
      </span>
      {isCurrent && <Icon name="check" className={css['check']} />}
    </div>
  );
}

/** True if each word of the query occurs in the currency's name, code, asset or network. */
function matches(currency: Currency, query: string): boolean {
  const text = [currency.name, currency.code, currency.asset, currency.network].join(' ').toLowerCase();
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
