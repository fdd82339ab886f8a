import type { ReactNode } from 'react';
import { findCurrency } from '../../../../features/currency.ts';
import { Money } from '../../../../features/money.tsx';
import { useSite } from '../../../../features/site.ts';
import { m } from '../../../../features/words.ts';
import { Button } from '../../../../ui/fields/button.tsx';
import { Copyable } from '../../../../ui/parts/copyable.tsx';
import { Icon } from '../../../../ui/base/icon.tsx';
import type { IconName } from '../../../../ui/base/icons.ts';
import { Slip, SlipCut, SlipLine, SlipLines } from '../../../../ui/parts/slip.tsx';
import { writeTime } from '../../../../ui/base/time.ts';
import { pageUrl } from '../../../pages.ts';
import { PrintHead } from '../orders/print-head.tsx';
import { BackLink } from '../back-link.tsx';
import css from './move.module.css';
import { Change, MoveStatus } from './operations-table.tsx';
import { type Operation, STATUSES, isOut, nameOf, stepName } from './operation-words.ts';
import type { MoveData } from './transaction/page.server.ts';
import { useUnitName } from './unit-name.ts';

/** Page of one operation: the amount, the operation's order or account, the history, and a receipt to print. */
export function Move({ data: { one, now } }: { data: MoveData }): ReactNode {
  const { locale } = useSite();
  return (
    <>
      <BackLink to="transactions">{m.moves_back()}</BackLink>
      <PrintHead title={m.moves_receipt()} now={now} />
      <div className={css['grid']}>
        <div>
          <div className={css['top']}>
            <span className="small mute num">{writeTime(one.at, locale)}</span>
            <MoveStatus one={one} isLoud />
          </div>
          <h1 className="title">{nameOf(one)}</h1>
          <p className={css['sum']}>
            <Change of={one} look="large" />
          </p>
          {one.note !== undefined && <p className={css['note']}>{one.note}</p>}
          <Facts one={one} />
        </div>
        <Aside one={one} />
      </div>
    </>
  );
}

function Facts({ one }: { one: Operation }): ReactNode {
  const words = { copy: m.copy(), copied: m.copied() };
  return (
    <div className={css['facts']}>
      {one.address !== undefined && (
        <Copyable
          label={one.address.startsWith('KD-') ? m.deposit_slip() : m.moves_address()}
          value={one.address}
          words={words}
          isStacked
        />
      )}
      {one.txid !== undefined && <Copyable label={m.moves_txid()} value={one.txid} words={words} isStacked />}
      <Copyable label={m.moves_id()} value={one.id} words={words} isStacked />
    </div>
  );
}

function Aside({ one }: { one: MoveData['one'] }): ReactNode {
  const { locale, currencies } = useSite();
  const name = useUnitName();
  const network = one.by === undefined ? '' : findCurrency(currencies, one.by).network;
  return (
    <aside aria-label={m.moves_receipt()}>
      <Slip label={m.moves_receipt()}>
        <SlipLines>
          <SlipLine label={m.moves_wallet()}>{name(one.currency)}</SlipLine>
          {network !== '' && <SlipLine label={m.moves_network()}>{network}</SlipLine>}
          {one.person !== undefined && (
            <SlipLine label={isOut(one) ? m.moves_person_to() : m.moves_person_from()}>
              <span className={css['person']}>{one.person}</span>
            </SlipLine>
          )}
          {one.order !== undefined && (
            <SlipLine label={m.moves_order()}>
              <a className="link" href={pageUrl(locale, 'ownOrder', { id: one.order })}>
                {one.order}
              </a>
            </SlipLine>
          )}
          {one.fee !== undefined && (
            <SlipLine label={m.moves_fee()}>
              <Money of={one.fee} />
            </SlipLine>
          )}
          {one.balance !== null && (
            <SlipLine label={m.moves_balance()}>
              <Money of={{ amount: one.balance, currency: one.currency }} />
            </SlipLine>
          )}
        </SlipLines>
        <SlipCut />
        <h2 className={css['steps']}>{m.moves_what_happened()}</h2>
        <ol className={css['line']} aria-live="polite">
          {stepsOf(one, (at) => writeTime(at, locale)).map(({ title, note, state, icon }) => (
            <li key={title} className={css[state]} aria-current={state === 'now' ? 'step' : undefined}>
              <span className={css['dot']}>
                <Icon name={icon} size={16} />
              </span>
              <b>{title}</b>
              {note !== undefined && <span className="num">{note}</span>}
            </li>
          ))}
        </ol>
        <p className={css['print']}>
          <Button look="secondary" size="small" icon="printer" onClick={() => print()}>
            {m.moves_print()}
          </Button>
        </p>
      </Slip>
    </aside>
  );
}

interface Step {
  readonly title: string;
  readonly note?: string;
  readonly state: 'done' | 'now' | 'stopped';
  readonly icon: IconName;
}

const STOPPED: ReadonlySet<Operation['status']> = new Set(['cancelled', 'failed', 'returned']);

/** Returns a text about the condition that a pending operation waits for: a time, or confirmations. */
function noteOf({ free_at, needed, confirmations, status }: Operation, write: (at: string) => string): string | undefined {
  if (free_at !== undefined) return m.moves_free_at({ time: write(free_at) });
  return needed === undefined || status !== 'confirming' ? undefined : m.wallet_confirming({ count: confirmations ?? 0, needed });
}

/** Returns the past steps of an operation. If the operation is not done, adds its current status as the last step. */
function stepsOf(one: MoveData['one'], write: (at: string) => string): Step[] {
  const past = one.steps.map(({ at, what }): Step => ({
    title: stepName(what),
    note: write(at),
    state: 'done',
    icon: 'check',
  }));
  const { icon, word } = STATUSES[one.status];
  if (one.status === 'done') return past;
  if (STOPPED.has(one.status)) return [...past, { title: word(), state: 'stopped', icon }];
  const note = noteOf(one, write);
  return [...past, { title: word(), ...(note !== undefined && { note }), state: 'now', icon }];
}
