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
    'The last 30 notices of the caller’s account, newest first: orders that are complete or wait for a choice, money that came, left or came back, changes of the account’s security. Each order, deposit and withdrawal is listed once, in its present state. `new` if it is later than the last call of `/user/notices/seen`',
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
          /** IP address from which the holder signed in or made the change. */
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
  summary: 'Mark all notices as read',
  input: z.object({}),
  output: z.undefined(),
  isEmpty: true,
  problems: [],
});
