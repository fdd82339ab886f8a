import { type NumberedOwner, defineOwner } from '../collecting/index.ts';
import { PAYIN_EVENT, PAYOUT_EVENT, WAY_EVENT } from '../payments/index.ts';
import { USUAL_PURPOSE } from '../pricing/index.ts';
import { SUBSCRIBER, applyEvents } from './apply/apply-events.ts';
import { ordersMayLeave } from './apply/payout-obstacles.ts';
import { linkTo } from './letters/letters.ts';
import { ORDER_OUT, REFUND_OUT } from './order/kinds.ts';
import { type StoredOrder, readOrder, readOrders } from './order/store/order-store.ts';
import { watchOrders } from './order/store/order-watch.ts';
import { orderCheck } from './proof/check-books.ts';
import { orderChangeTokens } from './views/order-change-tokens.ts';
import { openOrderStream } from './views/order-stream.ts';
import { orderByToken } from './views/track.ts';

const KIND = 'order';

const known = ({ view, number, email, locale }: StoredOrder): NumberedOwner => ({
  owner: { kind: KIND, id: view.id },
  ...{ number, email, locale },
});

/** Registration of orders as owners of payments, payouts, chats and streams. */
export const ORDER_OWNER = defineOwner({
  kind: KIND,
  purposes: [USUAL_PURPOSE],
  outKinds: [ORDER_OUT, REFUND_OUT],
  handlers: [{ subscriber: SUBSCRIBER, events: [PAYIN_EVENT, PAYOUT_EVENT, WAY_EVENT], handle: applyEvents }],
  mayLeave: ordersMayLeave,
  check: orderCheck,
  byId: async (db, ids) => (await readOrders(db, ids)).map(known),
  async byNumber(db, number) {
    const order = await readOrder(db, number);
    return order && known(order);
  },
  chat: {
    calls: { read: 'orderChat', say: 'orderSay', seen: 'orderChatSeen' },
    byToken: async (db, { tokens }, key) => known(await orderByToken(db, tokens, key)),
    // The row of an altered order may name somebody else's mailbox, so nothing is mailed for it.
    addresses: async (tx, sender, ids) =>
      (await readOrders(tx, ids))
        .filter(({ isAltered, email }) => !isAltered && email !== '')
        .map((order) => ({ ...known(order), url: `${linkTo(sender, order)}&chat=1` })),
  },
  changeTokens: orderChangeTokens,
  stream: { call: 'orderStatus', watch: watchOrders, open: openOrderStream },
});
