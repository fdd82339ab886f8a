import type { ReactNode } from 'react';
import { findCurrency, shortNetwork } from '../../../../features/currency.ts';
import { Money } from '../../../../features/money.tsx';
import { useSite } from '../../../../features/site.ts';
import { m } from '../../../../features/words.ts';
import { Code } from '../../../../ui/parts/copyable.tsx';
import { cx } from '../../../../ui/base/cx.ts';
import { Icon } from '../../../../ui/base/icon.tsx';
import { Chip, Pill } from '../../../../ui/parts/pill.tsx';
import { pageUrl } from '../../../pages.ts';
import { writeMoment } from '../orders/write-moment.ts';
import { KIND_ICONS, type Operation, STATUSES, isOut, nameOf } from './operation-words.ts';
import css from './operations-table.module.css';

/** Table of operations. On small screens each operation takes two lines. A row links to its operation. */
export function OperationsTable({ rows, now }: { rows: readonly Operation[]; now: string }): ReactNode {
  return (
    <MovedTable first={m.moves_column_operation()} second={m.moves_column_details()}>
      {rows.map((one) => (
        <OperationRow key={one.id} one={one} now={now} />
      ))}
    </MovedTable>
  );
}

/** Table of movements of money. The first two columns are named by the caller; then follow status, time and amount. */
export function MovedTable({ first, second, children }: { first: string; second: string; children: ReactNode }): ReactNode {
  return (
    <table className={css['table']}>
      <thead>
        <tr>
          <th scope="col">{first}</th>
          <th scope="col">{second}</th>
          <th scope="col">{m.moves_column_status()}</th>
          <th scope="col" className={css['right']}>
            {m.moves_column_time()}
          </th>
          <th scope="col" className={css['right']}>
            {m.moves_column_amount()}
          </th>
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  );
}

function OperationRow({ one, now }: { one: Operation; now: string }): ReactNode {
  const { locale } = useSite();
  return (
    <tr>
      <td className={css['name']}>
        <span className={css['icon']}>
          <Icon name={KIND_ICONS[one.kind]} size={16} />
        </span>
        <a href={pageUrl(locale, 'transactions', { id: one.id })}>{nameOf(one)}</a>
      </td>
      <td className={css['details']}>
        <Details one={one} />
      </td>
      <td className={css['status']} data-status={one.status}>
        <MoveStatus one={one} />
      </td>
      <td className={cx(css['time'], 'num')}>
        <time dateTime={one.at}>{writeMoment(one.at, now, locale)}</time>
      </td>
      <td className={cx(css['amount'], !isOut(one) && css['in'])}>
        <Change of={one} />
      </td>
    </tr>
  );
}

/** Amount of an operation, with its sign. */
export function Change({ of: one, look = 'quiet' }: { of: Operation; look?: 'quiet' | 'large' }): ReactNode {
  const out = isOut(one);
  return <Money of={{ amount: one.amount.replace('-', ''), currency: one.currency }} sign={out ? '−' : '+'} look={look} />;
}

/** Status of an operation: plain text if it is done, a coloured pill while it is pending or if `isLoud` is set. */
export function MoveStatus({ one, isLoud = false }: { one: Operation; isLoud?: boolean }): ReactNode {
  const { tone, icon, word } = STATUSES[one.status];
  if (one.status !== 'done' || isLoud)
    return (
      <Pill tone={tone} icon={icon}>
        {word()}
        {one.status === 'confirming' && one.needed !== undefined && ` ${one.confirmations ?? 0}/${one.needed}`}
      </Pill>
    );
  return (
    <span className={css['over']}>
      <Icon name={icon} size={16} />
      {word()}
    </span>
  );
}

/** Details of an operation: its order, or the account that the money came from or went to, and the network. */
function Details({ one }: { one: Operation }): ReactNode {
  const { locale, currencies } = useSite();
  if (one.order !== undefined)
    return (
      <a className={cx('link num', css['order'])} href={pageUrl(locale, 'ownOrder', { id: one.order })}>
        {one.order}
      </a>
    );
  const shown = one.address ?? one.txid;
  const network = one.by === undefined ? '' : shortNetwork(findCurrency(currencies, one.by).network);
  return (
    <>
      {shown !== undefined && <Code isShort>{shown}</Code>}
      {network !== '' && <Chip>{network}</Chip>}
      {one.person !== undefined && <span className={css['person']}>{one.person}</span>}
      {one.note !== undefined && <span className={css['note']}>{one.note}</span>}
    </>
  );
}
