// Collects an account's notices from all rooms, and marks them as read.

import type { Output, Routes } from '@kurs/contract';
import { noticesSeenAt, securityNotices, seeNotices } from '../auth/index.ts';
import { orderNotices, ownerOf } from '../exchange/index.ts';
import { type Db, type Work, userOf } from '../platform/index.ts';
import { walletNotices } from '../wallets/index.ts';

type Notice = Output<Routes['userNotices']>['notices'][number];

/** Maximum number of notices that are returned, the newest ones. */
const NEWEST = 30;

/** Returns the handlers of the calls, by their names in the contract. Each call is about the caller's own account. */
export function noticeHandlers(db: Db): { [N in 'userNotices' | 'userNoticesSeen']: Work<Routes[N]> } {
  return {
    async userNotices(_input, context) {
      const { id } = userOf(context);
      const [seen, orders, wallets, security] = await Promise.all([
        noticesSeenAt(db, id),
        orderNotices(db, ownerOf(context), NEWEST),
        walletNotices(db, id, NEWEST),
        securityNotices(db, id, NEWEST),
      ]);
      const all = [
        ...orders.map(({ id: order, ...one }) => ({ ...one, id: order, order })),
        ...wallets,
        ...security.map(({ ip, ...one }) => ({ ...one, ...(ip !== undefined && { ip }) })),
      ];
      const newest = all.toSorted((a, b) => b.at.getTime() - a.at.getTime()).slice(0, NEWEST);
      const notices = newest.map(({ at, ...one }) => {
        const isNew = seen === undefined || at > seen;
        return { ...one, at: at.toISOString(), new: isNew } as Notice;
      });
      return { new: notices.filter((one) => one.new).length, notices };
    },
    async userNoticesSeen(_input, context) {
      await seeNotices(db, userOf(context).id, await db.now());
    },
  };
}
