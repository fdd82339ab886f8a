// Notifies account holders' open pages of changes: one stream per page.

import { createHash } from 'node:crypto';
import type { Routes } from '@kurs/contract';
import { rewardChangeTokens } from '../affiliates/index.ts';
import { securityChangeTokens, sessionsThatStand } from '../auth/index.ts';
import { couponChangeTokens } from '../coupons/index.ts';
import type { OwnerKind } from '../collecting/index.ts';
import { type Owner, ownerOf } from '../exchange/index.ts';
import {
  type Context,
  type Db,
  type EventStream,
  type Followed,
  type Statements,
  type Work,
  canonicalEmail,
  every,
  userOf,
} from '../platform/index.ts';
import { gateChangeTokens } from '../gate/index.ts';
import { affiliateChangeTokens } from '../referrals/index.ts';

/** Polling interval in ms. Each poll takes about ten queries for all listeners of the process. */
const POLL_MS = 500;
/** Handlers that return an account's change token, and the stream of its changes. */
export interface AccountWatch {
  readonly work: Work<Routes['userChanges']>;
  readonly stream: (input: unknown, context: Context) => Promise<Followed>;
  stop(): Promise<void>;
}

interface Listener {
  readonly owner: Owner;
  readonly sessionId: string;
  readonly stream: EventStream;
  /** The change token that was last sent to the listener. */
  seen: string;
}

/**
 * Starts polling for changes of accounts; call it once per process. A listener only learns that their own account has changed;
 * the page then requests the details. When a session ends, its streams end.
 */
export function watchAccounts(db: Db, kinds: readonly OwnerKind[]): AccountWatch {
  const listeners = new Set<Listener>();
  const sweeper = every(POLL_MS, 'account_watch', () => poll(db, kinds, listeners));
  return {
    work: async (_input, context) => {
      const owner = ownerOf(context);
      return { mark: (await marksOf(db, kinds, [owner])).get(owner.id) as string };
    },
    async stream(_input, context) {
      const { id, sessionId } = userOf(context);
      const report = async (stream: EventStream): Promise<void> => {
        const listener = { owner: ownerOf(context), sessionId, stream, seen: stream.lastEventId ?? '' };
        listeners.add(listener);
        stream.signal.addEventListener('abort', () => listeners.delete(listener));
        if (stream.signal.aborted) listeners.delete(listener);
        sweeper.wake();
      };
      return { of: `account ${id}`, report };
    },
    stop: () => sweeper.stop(),
  };
}

async function poll(db: Db, kinds: readonly OwnerKind[], listeners: ReadonlySet<Listener>): Promise<void> {
  if (listeners.size === 0) return;
  const now = [...listeners];
  const owners = new Map(now.map(({ owner }) => [owner.id, owner]));
  const [status, marks] = await Promise.all([
    sessionsThatStand(db, [...new Set(now.map(({ sessionId }) => sessionId))]),
    marksOf(db, kinds, [...owners.values()]),
  ]);
  for (const listener of now) {
    const { owner, sessionId, stream } = listener;
    if (!status.has(sessionId)) stream.end();
    const mark = marks.get(owner.id);
    if (mark === undefined || mark === listener.seen) continue;
    listener.seen = mark;
    stream.send({ id: mark, event: 'account', data: { mark } });
  }
}

/** Returns the change token of each account: a hash that differs after any change of the account and reveals nothing else. */
async function marksOf(db: Statements, kinds: readonly OwnerKind[], owners: readonly Owner[]): Promise<Map<string, string>> {
  const ids = [...new Set(owners.map(({ id }) => id))];
  const marks = await Promise.all([
    ...kinds.flatMap(({ changeTokens }) => (changeTokens ? [changeTokens(db, owners)] : [])),
    securityChangeTokens(db, ids),
    couponChangeTokens(
      db,
      owners.map(({ id, mailbox }) => ({ id, emailKey: mailbox && canonicalEmail(mailbox) })),
    ),
    affiliateChangeTokens(db, ids),
    rewardChangeTokens(db, ids),
    gateChangeTokens(db, owners),
  ]);
  const markOf = (id: string): string =>
    createHash('sha256')
      .update(marks.map((of) => of.get(id)).join('|'))
      .digest('base64url')
      .slice(0, 22);
  return new Map(ids.map((id) => [id, markOf(id)]));
}
