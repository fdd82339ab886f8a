import { type MouseEvent, type ReactNode } from 'react';
import { useLocation } from 'react-router';
import { shortNetwork } from '../../../features/currency.ts';
import { Money } from '../../../features/money.tsx';
import { BesidePrice, PriceLines } from '../../../features/order/price-lines.tsx';
import { progressOf } from '../../../features/order/progress.ts';
import type { Order } from '../../../features/order/order.ts';
import { ReceiptRow } from '../../../features/receipt/receipt-row.tsx';
import { useCurrency } from '../../../features/use-currency.ts';
import { m } from '../../../features/words.ts';
import { useHydrated } from '../../../ui/base/clock.ts';
import { Code, CopyButton } from '../../../ui/parts/copyable.tsx';
import { cx } from '../../../ui/base/cx.ts';
import { Icon } from '../../../ui/base/icon.tsx';
import { useLocale } from '../../../ui/base/locale.ts';
import { SlipCut, SlipLine, SlipLines } from '../../../ui/parts/slip.tsx';
import { Timeline } from '../../../ui/parts/timeline.tsx';
import css from './order-aside.module.css';
import type { OrderData } from './page.server.ts';

/** Column beside the order: the order's progress, its amounts, and the link to save. */
export function OrderAside({ data, now }: { data: OrderData; now: number }): ReactNode {
  const { order } = data;
  const locale = useLocale();
  const isOnChain = useCurrency(order.give.currency).kind === 'crypto';
  return (
    <div className={css['aside']}>
      <section className="card pad">
        <h2 className={cx('card-title', css['head'])}>{m.progress_title()}</h2>
        <Timeline steps={progressOf(order, now, locale, isOnChain)} />
      </section>
      {order.get && <Received data={data} />}
      <Links data={data} />
    </div>
  );
}

function Received({ data: { order } }: { data: OrderData }): ReactNode {
  if (!order.get) return null;
  const account = Object.values(order.receive?.fields ?? {})[0];
  return (
    <section className="card pad">
      <h2 className="card-title">
        {order.status === 'done' ? m.you_received() : isPromised(order) ? m.you_receive() : m.order_was_for()}
      </h2>
      <div className={css['sum']}>
        <Money of={order.get} look="large" beside={order.give} />
      </div>
      {account && (
        <p className="small soft">
          {shortNetwork(order.receive?.network ?? '')} · <Code isShort>{account}</Code>
        </p>
      )}
      <SlipCut />
      <SlipLines>
        <SlipLine label={exchangedWords(order)}>
          <Money of={order.give} beside={order.get} />
        </SlipLine>
        <PriceLines of={order} rate={isRateHeld(order) ? m.slip_rate_held() : m.slip_rate()} />
      </SlipLines>
      {(order.promised ?? order.bought_back) && (
        <>
          <SlipCut />
          <SlipLines>
            <BesidePrice order={order} />
          </SlipLines>
        </>
      )}
    </section>
  );
}

/** Returns the label of the exchanged amount. It says if the amount was exchanged, will be exchanged, or won't be exchanged. */
function exchangedWords(order: Order): string {
  if (order.status === 'done') return m.price_exchanged();
  return isPromised(order) || order.status === 'choose' ? m.price_of() : m.price_was_for();
}

/** True if the order has paid out the promised amount, or still will. */
function isPromised({ status, due }: Order): boolean {
  return due === undefined && ['waiting', 'seen', 'confirming', 'checking', 'paying', 'done'].includes(status);
}

/** True while the order's rate is locked. A request for documents ends the lock. */
const isRateHeld = (order: Order): boolean => isPromised(order) && !order.late && order.reason !== 'papers';

function Links({ data: { order } }: { data: OrderData }): ReactNode {
  const hydrated = useHydrated();
  const asking = new URLSearchParams(useLocation().search);
  asking.set('chat', '1');
  return (
    <section className={cx('card', css['links'])}>
      <div className={css['link']}>
        <Icon name="link-simple" />
        <span>
          <b>{m.order_keep_link()}</b>
          <span className="tiny mute">{m.order_keep_link_text()}</span>
        </span>
        {hydrated && <CopyButton value={location.href} words={{ copy: m.copy(), copied: m.copied() }} name={m.order_link()} />}
      </div>
      {order.receipt && <ReceiptRow id={order.id} receipt={order.receipt} />}
      <a className={css['link']} href={`?${asking}#chat`} onClick={openChat}>
        <Icon name="paper-plane-tilt" />
        <span>
          <b>{m.order_ask()}</b>
          <span className="tiny mute">{m.order_ask_text()}</span>
        </span>
      </a>
    </section>
  );
}

/** Opens the order's chat on the page. Without JavaScript, the link loads the page with the chat open. */
function openChat(event: MouseEvent): void {
  const chat = document.getElementById('chat');
  if (!(chat instanceof HTMLDetailsElement)) return;
  event.preventDefault();
  chat.open = true;
  chat.scrollIntoView({ block: 'nearest' });
  (chat.querySelector<HTMLElement>('textarea') ?? chat.querySelector<HTMLElement>('summary'))?.focus();
}
