import { type ReactNode, useCallback } from 'react';
import { Form, useActionData, useLoaderData, useNavigation, useRevalidator } from 'react-router';
import { type Order, isOver } from '../../../features/order/order.ts';
import { Status, statusOf } from '../../../features/order/status.tsx';
import { useOrderStream } from '../../../features/order/use-order-stream.ts';
import { useSite } from '../../../features/site.ts';
import { restOf } from '../../../features/rest-of.ts';
import { m } from '../../../features/words.ts';
import { Button, ButtonLink } from '../../../ui/fields/button.tsx';
import { useServerNow } from '../../../ui/base/clock.ts';
import { cx } from '../../../ui/base/cx.ts';
import { Icon } from '../../../ui/base/icon.tsx';
import { Message } from '../../../ui/parts/message.tsx';
import { Pill } from '../../../ui/parts/pill.tsx';
import { writeTime } from '../../../ui/base/time.ts';
import { useTitle } from '../../../ui/base/title.ts';
import { pageUrl } from '../../pages.ts';
import { Main } from '../layout.tsx';
import { CancelOrder } from './cancel-order.tsx';
import choices from './choices/choices.module.css';
import { LazyCards, hasLateCards } from './lazy-cards.ts';
import { LazyChat, noteChat } from './lazy-chat.ts';
import { LazyChoices } from './choices/lazy-choices.ts';
import { OrderAside } from './order-aside.tsx';
import type { OrderAnswer, OrderData } from './page.server.ts';
import { OrderDetails, Transfers } from './order-details.tsx';
import css from './order.module.css';
import { HoldBar, PayCard } from './pay-card.tsx';
import receipt from './receipt.module.css';
import { RelatedNote } from './related-note.tsx';
import { SituationNote, orderHeadline } from './situation.tsx';

export { LazyCardsProvider } from './lazy-cards.ts';
export { LazyChoicesProvider } from './choices/lazy-choices.ts';

/**
 * Page of an order, where the customer pays, follows the order and makes choices. Later it is the receipt. An unallocated payment
 * has the same page.
 */
export default function OrderPage(): ReactNode {
  return (
    <Main className={cx('wrap', css['grid'])}>
      <OrderContent data={useLoaderData<OrderData>()} />
    </Main>
  );
}

/** Content of an order's page: its progress and all actions, and beside them the agreed terms. */
export function OrderContent({ data }: { data: OrderData }): ReactNode {
  const answer = useActionData<OrderAnswer>();
  const site = useSite();
  const { order } = data;
  const now = useServerNow(data.now);
  const connected = useNews(data);
  useTitle(data.head.title, site.name);
  const keepsRate = order.due !== undefined && Date.parse(order.expires_at) > now;
  const isDue = order.status === 'waiting' || keepsRate;
  const payable = order.pay?.address !== undefined && isDue;
  return (
    <>
      <div>
        <Head order={order} />
        <CallOutcome order={order} answer={answer} />
        <SituationNote order={order} reason={data.reason} now={now} />
        <RelatedNote order={order} />
        {(order.needs_email || order.choices.length > 0) && (
          <section className={choices['choices']} aria-label={m.choices_label()}>
            <LazyChoices data={data} answer={answer} now={now} />
          </section>
        )}
        {payable && <PayCard data={data} now={now} />}
        {hasLateCards(data, isDue) && (
          <div className={receipt['late']}>
            <LazyCards
              data={data}
              answer={answer}
              now={now}
              hold={<HoldBar from={order.created_at} until={order.expires_at} now={now} />}
            />
          </div>
        )}
        {!isOver(order) && <WatchBar data={data} isConnected={connected} />}
        {isOver(order) && order.status !== 'done' && <NewOrderLink order={order} />}
        <Transfers order={order} />
        <OrderDetails data={data} />
        <ChatCard data={data} answer={answer} />
      </div>
      <OrderAside data={data} now={now} />
    </>
  );
}

/** Head of the page: number, time, status and headline of the order or unallocated payment. */
function Head({ order }: { order: Order }): ReactNode {
  const { locale } = useSite();
  return (
    <>
      <div className={css['top']}>
        <span className="small mute num">
          {order.kind === 'unallocated' ? m.order_unallocated({ id: order.id }) : m.order_number({ id: order.id })} ·{' '}
          {writeTime(order.created_at, locale)}
        </span>
        <Status status={statusOf(order)} />
      </div>
      <h1 className={cx('title', css['title'])}>{orderHeadline(order)}</h1>
    </>
  );
}

/** Messages about the last form: the reason why it was refused, or the sandbox's payment. */
function CallOutcome({ order, answer }: { order: Order; answer: OrderAnswer | undefined }): ReactNode {
  const refusal = refusalOf(answer);
  return (
    <>
      {refusal !== undefined && (
        <div className={css['block']}>
          <Message tone="error" title={refusal} isLive />
        </div>
      )}
      {answer?.paid && order.status === 'waiting' && (
        <div className={css['block']}>
          <Message tone="success" title={m.sandbox_paid()} isLive>
            {m.sandbox_paid_text()}
          </Message>
        </div>
      )}
    </>
  );
}

/** Link to a new order in the same direction. */
function NewOrderLink({ order }: { order: Order }): ReactNode {
  const { locale } = useSite();
  return (
    <div className={css['block']}>
      <ButtonLink
        href={pageUrl(
          locale,
          'home',
          order.kind === 'order' && order.get ? { from: order.give.currency, to: order.get.currency } : {},
        )}
      >
        {m.order_new()}
      </ButtonLink>
    </div>
  );
}

function ChatCard({ data, answer }: { data: OrderData; answer: OrderAnswer | undefined }): ReactNode {
  return (
    <details
      id="chat"
      className={cx('card', css['chat'])}
      open={data.chat.isOpen}
      ref={noteChat}
      onToggle={(event) => noteChat(event.currentTarget)}
    >
      <summary>
        {m.chat_title()}
        {data.chat.unread > 0 && <Pill tone="brand">{m.chat_new({ count: data.chat.unread })}</Pill>}
        <Icon name="caret-down" size={16} />
      </summary>
      <LazyChat data={data} answer={answer} />
    </details>
  );
}

/** Returns the error to show above the order; undefined if a field or a dialog shows it. */
function refusalOf(answer: OrderAnswer | undefined): string | undefined {
  if (!answer?.message || answer.code || answer.said) return undefined;
  return (
    restOf(answer, (name) => name === 'email' || /^(?:fields|account)\./.test(name)) ??
    (hasFieldErrors(answer) ? undefined : answer.message)
  );
}

/** True if a refusal has errors that fields of the page show. */
const hasFieldErrors = ({ errors }: OrderAnswer): boolean =>
  Object.keys(errors ?? {}).some((name) => name === 'email' || name.startsWith('fields.'));

/** Loads the page's data again after each change of the order. Returns false while the connection to the event stream is lost. */
function useNews({ order, token, mark }: OrderData): boolean {
  const { revalidate } = useRevalidator();
  const onNews = useCallback(() => void revalidate(), [revalidate]);
  return useOrderStream({ id: order.id, token, mark }, onNews);
}

/** Bar with the connection's status, and with buttons for actions that are still possible. */
function WatchBar({ data, isConnected }: { data: OrderData; isConnected: boolean }): ReactNode {
  const { order, isSandbox } = data;
  const navigation = useNavigation();
  const intent = navigation.formData?.get('intent');
  return (
    <div className={css['watch']}>
      <output className={cx(css['live'], 'small soft')}>
        <i className={isConnected ? undefined : css['lost']} />
        {isConnected ? m.order_watching() : m.order_reconnecting()}
      </output>
      <div className={css['acts']}>
        {order.can_cancel && <CancelOrder isBusy={intent === 'cancel'} />}
        {isSandbox && order.status === 'waiting' && order.kind === 'order' && (
          <Form method="post">
            <input type="hidden" name="seq" value={order.seq} />
            <Button
              type="submit"
              name="intent"
              value="pay"
              size="small"
              look="secondary"
              icon="wallet"
              busy={intent === 'pay' && m.sandbox_paying()}
            >
              {m.sandbox_pay()}
            </Button>
          </Form>
        )}
      </div>
    </div>
  );
}
