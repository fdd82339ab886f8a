import { type FormEvent, type KeyboardEvent, type ReactNode, useRef } from 'react';
import { useNavigate } from 'react-router';
import { useSite } from '../../../../features/site.ts';
import { m } from '../../../../features/words.ts';
import { writeAmount } from '../../../../ui/base/amount.ts';
import { Button, SearchButton } from '../../../../ui/fields/button.tsx';
import { cx } from '../../../../ui/base/cx.ts';
import { DateField } from '../../../../ui/fields/date-field.tsx';
import { Field } from '../../../../ui/fields/field.tsx';
import { Icon } from '../../../../ui/base/icon.tsx';
import type { IconName } from '../../../../ui/base/icons.ts';
import { pageUrl } from '../../../pages.ts';
import { dayError } from '../orders/filter.ts';
import css from './operations-filter.module.css';
import { KINDS, STATUSES, kindName } from './operation-words.ts';
import type { OperationsData, OperationsFilter } from './transaction/page.server.ts';
import { useUnitName } from './unit-name.ts';

/** Returns a function that makes the URL of the list from a filter, with only the fields that are set. */
export function useOperationsAddress(): (filter: OperationsFilter, more?: Readonly<Record<string, string>>) => string {
  const { locale } = useSite();
  return (filter, more = {}) => {
    const all = Object.entries({ ...filter, kind: filter.kind === 'all' ? '' : filter.kind, ...more });
    return pageUrl(locale, 'transactions', Object.fromEntries(all.filter(([, value]) => value !== '')));
  };
}

const NONE = { currency: '', status: '', from: '', to: '', min: '', max: '', q: '' } as const;

/** True if a field other than the kind restricts the list. */
export const isNarrowed = (filter: OperationsFilter): boolean =>
  Object.keys(NONE).some((name) => filter[name as keyof typeof NONE] !== '');

/** Kinds of operations that the filter offers even if the account has no such operation. */
const ALWAYS = new Set(['exchange', 'deposit', 'withdrawal', 'transfer']);

/** Links to the kinds of operations, with the number of operations of each kind. */
export function OperationsKinds({ data: { filter, figures } }: { data: OperationsData }): ReactNode {
  const address = useOperationsAddress();
  const { locale } = useSite();
  const { counts } = figures;
  const total = counts && Object.values(counts).reduce((sum, count) => sum + count, 0);
  const shown = KINDS.filter((kind) => ALWAYS.has(kind) || kind === filter.kind || (counts?.[kind] ?? 0) > 0);
  return (
    <nav className={css['kinds']} aria-label={m.moves_kinds()}>
      {(['all', ...shown] as const).map((kind) => (
        <a key={kind} href={address({ ...filter, kind })} aria-current={kind === filter.kind ? 'true' : undefined}>
          {kindName(kind)}
          {counts && <span className="num">{writeAmount(String(kind === 'all' ? total : (counts[kind] ?? 0)), 0, locale)}</span>}
        </a>
      ))}
    </nav>
  );
}

/** Filters of the list of operations: one chip each, which opens its choices. The URL contains all filters. */
export function OperationsFilters({ data }: { data: OperationsData }): ReactNode {
  const { filter, units } = data;
  const address = useOperationsAddress();
  const unitName = useUnitName();
  return (
    <section className={css['chips']} aria-label={m.moves_filter()}>
      <DatesChip data={data} />
      <Chip
        name={m.moves_wallet()}
        set={filter.currency && unitName(filter.currency)}
        clear={address({ ...filter, currency: '' })}
      >
        <Choices
          chosen={filter.currency}
          options={units.map((unit) => [unit, unitName(unit)])}
          to={(currency) => address({ ...filter, currency })}
        />
      </Chip>
      <Chip
        name={m.moves_status()}
        set={filter.status === '' ? '' : STATUSES[filter.status].word()}
        clear={address({ ...filter, status: '' })}
      >
        <Choices
          chosen={filter.status}
          options={Object.entries(STATUSES).map(([status, { word }]) => [status, word()])}
          to={(status) => address({ ...filter, status: status as OperationsFilter['status'] })}
        />
      </Chip>
      <AmountsChip data={data} />
      <Search filter={filter} />
      {isNarrowed(filter) && (
        <a className="link small" href={address({ ...NONE, kind: filter.kind })}>
          {m.moves_reset()}
        </a>
      )}
    </section>
  );
}

function DatesChip({ data: { filter, wrongDays, now } }: { data: OperationsData }): ReactNode {
  const address = useOperationsAddress();
  const words = { open: m.calendar_open(), before: m.calendar_before(), after: m.calendar_after() };
  const day = (name: 'from' | 'to', label: string): ReactNode => (
    <DateField
      name={name}
      label={label}
      start={filter[name]}
      today={now.slice(0, 10)}
      words={words}
      error={dayError(wrongDays[name])}
    />
  );
  return (
    <Chip
      name={m.moves_dates()}
      icon="calendar-blank"
      set={rangeText(filter.from, filter.to)}
      clear={address({ ...filter, from: '', to: '' })}
      isOpen={Object.keys(wrongDays).length > 0}
    >
      <Panel filter={filter}>
        {day('from', m.orders_from())}
        {day('to', m.orders_to())}
      </Panel>
    </Chip>
  );
}

function AmountsChip({ data: { filter, wrong } }: { data: OperationsData }): ReactNode {
  const address = useOperationsAddress();
  const sum = (name: 'min' | 'max', label: string): ReactNode => (
    <Field
      name={name}
      label={label}
      inputMode="decimal"
      autoComplete="off"
      maxLength={60}
      defaultValue={filter[name]}
      error={wrong.includes(name) ? m.moves_wrong_sum() : undefined}
    />
  );
  return (
    <Chip
      name={m.moves_amount()}
      set={rangeText(filter.min, filter.max)}
      clear={address({ ...filter, min: '', max: '' })}
      isOpen={wrong.length > 0}
    >
      <Panel filter={filter}>
        {sum('min', m.moves_min())}
        {sum('max', m.moves_max())}
      </Panel>
    </Chip>
  );
}

/** Returns the text of a chip for a range; empty if neither end is set. */
const rangeText = (from: string, to: string): string => (from === '' && to === '' ? '' : `${from} – ${to}`.trim());

/** Filter as a chip. It shows its name while it is not set, otherwise its value and a button that clears it. */
function Chip({
  name,
  icon,
  set,
  clear,
  isOpen = false,
  children,
}: {
  name: string;
  icon?: IconName;
  set: string;
  clear: string;
  isOpen?: boolean;
  children: ReactNode;
}): ReactNode {
  const place = useRef<HTMLDetailsElement>(null);
  const close = (): void => place.current?.removeAttribute('open');
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape') return;
    close();
    place.current?.querySelector('summary')?.focus();
  };
  return (
    <div
      className={cx(css['chip'], set !== '' && css['set'])}
      role="none"
      onKeyDown={onKeyDown}
      onBlur={(event) => event.relatedTarget && !event.currentTarget.contains(event.relatedTarget) && close()}
    >
      <details ref={place} name="moves-chip" open={isOpen}>
        <summary>
          {icon && <Icon name={icon} size={16} />}
          {set === '' ? (
            name
          ) : (
            <>
              <span className="sr">{name}: </span>
              <span className="num">{set}</span>
            </>
          )}
          {set === '' && <Icon name="caret-down" size={16} />}
        </summary>
        <div className={css['panel']}>{children}</div>
      </details>
      {set !== '' && (
        <a className={css['clear']} href={clear} aria-label={m.moves_clear({ name })}>
          <Icon name="x" size={16} />
        </a>
      )}
    </div>
  );
}

/** Form inside a chip for a filter whose values are typed. The other filters stay set. */
function Panel({ filter, children }: { filter: OperationsFilter; children: ReactNode }): ReactNode {
  const submit = useSubmit(filter);
  return (
    <form className={css['form']} onSubmit={submit} noValidate>
      {children}
      <Button type="submit" look="secondary" size="small">
        {m.moves_show()}
      </Button>
    </form>
  );
}

function Choices({
  chosen,
  options,
  to,
}: {
  chosen: string;
  options: readonly (readonly [value: string, name: string])[];
  to: (value: string) => string;
}): ReactNode {
  return (
    <ul className={css['choices']}>
      {[['', m.moves_any()] as const, ...options].map(([value, name]) => (
        <li key={value}>
          <a href={to(value)} aria-current={value === chosen ? 'true' : undefined}>
            {name}
            {value === chosen && <Icon name="check" size={16} />}
          </a>
        </li>
      ))}
    </ul>
  );
}

function Search({ filter }: { filter: OperationsFilter }): ReactNode {
  const submit = useSubmit(filter);
  return (
    <form className={css['search']} aria-label={m.moves_search()} onSubmit={submit}>
      <SearchButton label={m.search_go()} />
      <input
        name="q"
        type="search"
        maxLength={120}
        defaultValue={filter.q}
        aria-label={m.moves_search()}
        placeholder={m.moves_search()}
      />
    </form>
  );
}

function useSubmit(filter: OperationsFilter): (event: FormEvent<HTMLFormElement>) => void {
  const navigate = useNavigate();
  const address = useOperationsAddress();
  return (event) => {
    event.preventDefault();
    const fields = [...new FormData(event.currentTarget)].map(([name, value]) => [name, String(value).trim()]);
    void navigate(address({ ...filter, ...Object.fromEntries(fields) }));
  };
}
