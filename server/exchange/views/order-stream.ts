// Event stream for an order's page: reports changes of the order and its chat, as long as the order's secret is valid.

import type { Output, Routes } from '@kurs/contract';
import { confirmationsOf } from '../../payments/index.ts';
import type { OwnerChats, OwnerKey, StreamDeps } from '../../collecting/index.ts';
import type { EventStream, Followed, Statements } from '../../platform/index.ts';
import { confirmationsWire } from '../wire/order-wire.ts';
import { wordOf } from '../order/order.ts';
import { type StoredOrder, changesOf, readOrder } from '../order/store/order-store.ts';
import { orderByToken } from './track.ts';

type Status = Output<Routes['orderStatus']>;

/** Returns an order's status, the confirmations of its payments, and the version of its chat if there is one. */
export async function statusOf(db: Statements, { view, updatedAt }: StoredOrder, chats: OwnerChats | undefined): Promise<Status> {
  const [messages, confirmations] = await Promise.all([
    chats?.versionOf(view.id),
    confirmationsOf(db, { kind: 'order', id: view.id }),
  ]);
  return {
    ...{ status: wordOf(view), updated_at: updatedAt.toISOString(), seq: view.version },
    ...confirmationsWire(confirmations),
    ...(messages && { messages }),
  };
}

/** Sends the reader of a stream each change since their last event. Ends the stream once the order's secret is replaced. */
async function publishOrderEvents({ db, watch, chats }: StreamDeps, order: StoredOrder, stream: EventStream): Promise<void> {
  const send = async (event: 'order' | 'message'): Promise<void> => {
    const current = await readOrder(db, order.number);
    if (current?.tokenVersion !== order.tokenVersion) return stream.end();
    const data = await statusOf(db, current, chats);
    stream.send({ id: markOf(data), event, data });
  };
  const report = (event: 'order' | 'message') => (): void => void send(event).catch(() => stream.end());
  const begun = await statusOf(db, order, chats);
  if (stream.lastEventId !== markOf(begun)) await send('order');
  const stops = [
    watch.listen(order.view.id, changesOf(order, begun.confirmations), report('order')),
    chats?.listen(order.view.id, begun.messages ?? 0, report('message')),
  ];
  stream.signal.addEventListener('abort', () => stops.forEach((stop) => stop?.()));
  if (stream.signal.aborted) stops.forEach((stop) => stop?.());
}

/** Returns the function that opens an order's stream by its secret. */
export function openOrderStream(deps: StreamDeps): (key: OwnerKey) => Promise<Followed> {
  return async (key) => {
    const order = await orderByToken(deps.db, deps.sender.tokens, key);
    return { of: `order ${order.view.id}`, report: (stream) => publishOrderEvents(deps, order, stream) };
  };
}

/**
 * Returns the event id that marks a reader's position in the stream: the order's version; a point and the chat's version, if
 * there is a chat; a plus and the confirmations.
 */
const markOf = ({ seq, messages, confirmations }: Status): string =>
  `${seq}${messages === undefined ? '' : `.${messages}`}${confirmations === undefined ? '' : `+${confirmations}`}`;
