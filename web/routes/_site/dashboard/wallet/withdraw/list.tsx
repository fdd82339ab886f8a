import type { ReactNode } from 'react';
import { shortNetwork } from '../../../../../features/currency.ts';
import { Money } from '../../../../../features/money.tsx';
import { useSite } from '../../../../../features/site.ts';
import { m } from '../../../../../features/words.ts';
import { Code } from '../../../../../ui/parts/copyable.tsx';
import { cx } from '../../../../../ui/base/cx.ts';
import { Icon } from '../../../../../ui/base/icon.tsx';
import { Chip, Pill } from '../../../../../ui/parts/pill.tsx';
import { pageUrl } from '../../../../pages.ts';
import { writeMoment } from '../../orders/write-moment.ts';
import { queryOf } from '../../orders/filter.ts';
import orders from '../../orders/orders.module.css';
import { Pager } from '../../orders/pager.tsx';
import { MovedTable } from '../operations-table.tsx';
import table from '../operations-table.module.css';
import type { WithdrawData } from './page.server.ts';
import { GROUPS, STATUSES, type Withdrawal, type WithdrawalGroup, groupName } from './statuses.ts';
import { showCurrent } from '../../show-current.ts';
import css from './withdraw.module.css';

/** List of the account's withdrawals by group, the newest first. */
export function WithdrawalList({ data: { group, rows, meta, now, unit } }: { data: WithdrawData }): ReactNode {
  const { locale } = useSite();
  const address = (more: Readonly<Record<string, string>>): string =>
    pageUrl(locale, 'withdraw', queryOf({ currency: unit ?? '', ...more }));
  const groups = ['all', ...(Object.keys(GROUPS) as WithdrawalGroup[])] as const;
  if (group === 'all' && meta.total === 0) return null;
  return (
    <section className={cx('card', css['list'])} aria-labelledby="withdrawals-title">
      <h2 className={cx('card-title', css['listTitle'])} id="withdrawals-title">
        {m.withdraw_list()}
      </h2>
      <nav ref={showCurrent} className={orders['groups']} aria-label={m.withdraw_groups()}>
        {groups.map((one) => (
          <a key={one} href={address({ status: one })} aria-current={one === group ? 'true' : undefined}>
            {groupName(one)}
          </a>
        ))}
      </nav>
      {rows.length > 0 ? (
        <MovedTable first={m.withdraw_to()} second={m.moves_network()}>
          {rows.map((one) => (
            <WithdrawalRow key={one.id} one={one} now={now} />
          ))}
        </MovedTable>
      ) : (
        <div className={orders['none']}>
          <output className="soft">{m.moves_nothing()}</output>
        </div>
      )}
      <Pager meta={meta} label={m.withdraw_pages()} address={(more) => address({ status: group, ...more })} />
    </section>
  );
}

function WithdrawalRow({ one, now }: { one: Withdrawal; now: string }): ReactNode {
  const { locale } = useSite();
  const [to = ''] = Object.values(one.to);
  return (
    <tr>
      <td className={table['name']}>
        <span className={table['icon']}>
          <Icon name="upload-simple" size={16} />
        </span>
        <a href={pageUrl(locale, 'withdraw', { id: one.id })}>
          {to === '' ? m.withdraw_to_voucher() : <Code isShort>{to}</Code>}
        </a>
      </td>
      <td className={table['details']}>
        <Chip>{shortNetwork(one.network)}</Chip>
      </td>
      <td className={table['status']} data-status={one.status}>
        <WithdrawalStatus one={one} />
      </td>
      <td className={cx(table['time'], 'num')}>
        <time dateTime={one.asked_at}>{writeMoment(one.asked_at, now, locale)}</time>
      </td>
      <td className={table['amount']}>
        <Money of={{ amount: one.amount, currency: one.currency }} sign="−" look="quiet" />
      </td>
    </tr>
  );
}

/** Shows the status of a withdrawal in a word. */
export function WithdrawalStatus({ one }: { one: Withdrawal }): ReactNode {
  const { tone, icon, word } = STATUSES[one.status];
  return (
    <Pill tone={tone} icon={icon}>
      {word()}
      {one.status === 'sent' && one.needed !== undefined && ` ${one.confirmations ?? 0}/${one.needed}`}
    </Pill>
  );
}
