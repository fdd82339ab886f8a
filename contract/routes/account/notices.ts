// Notices of an account, as the dashboard shows them.

import { z } from 'zod';
import { line } from '../../fields/free-text.ts';
import { route } from '../../route.ts';
import { money, orderId, time } from '../../wire.ts';

const own = { allows: 'user', tag: 'Account' } as const;

export const noticeKind = z.enum([
  ...['order_choose', 'order_checking', 'order_done', 'order_refunded', 'order_rejected', 'order_expired'],
  ...['deposit_final', 'deposit_maturing', 'deposit_checking', 'deposit_returned', 'deposit_reversed'],
  ...['withdrawal_sent', 'withdrawal_done', 'withdrawal_failed', 'withdrawal_returned', 'withdrawal_rejected'],
  'transfer_received',
  ...['new_device', 'password_set', 'password_changed', 'password_was_reset', 'google_linked', 'google_unlinked'],
  ...['two_factor_on', 'two_factor_off', 'recovery_used', 'recovery_renewed', 'email_changed', 'email_asked_for'],
  'api_key_made',
  ...['closing_begun', 'closing_called_off', 'closing_stopped'],
] as const);

export const userNotices = route({
  ...own,
  method: 'GET',
  path: '/user/notices',
  summary:
    'The 30 things that happened to the caller’s account last, newest first: an order that is over or waits for their word, money that came, left or came back, a change of the account’s security. Each order, deposit and withdrawal stands there once, as it is now. `new` since `/user/notices/seen` was called last',
  input: z.object({}),
  output: z.object({
    /** Number of unread notices. */
    new: z.int(),
    notices: z.array(
      z
        .object({
          /** The number of an order or the id of a withdrawal; for other kinds a unique key. */
          id: z.string(),
          kind: noticeKind,
          at: time,
          new: z.boolean(),
          order: orderId.optional(),
          money: money.optional(),
          /** For a deposit: the transaction, by which the list of operations finds it. */
          txid: z.string().optional(),
          /** Sender of a transfer. */
          person: line().optional(),
          /** Network address of the change or sign-in. */
          ip: z.string().optional(),
        })
        .meta({ id: 'Notice' }),
    ),
  }),
  problems: [],
});

export const userNoticesSeen = route({
  ...own,
  method: 'POST',
  path: '/user/notices/seen',
  summary: 'The caller has seen what happened so far: none of it is new any more',
  input: z.object({}),
  output: z.undefined(),
  empty: true,
  problems: [],
});
