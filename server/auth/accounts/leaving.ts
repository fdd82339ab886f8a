// What rooms above know of somebody whose account is to be closed.

import type { Statements, Tx } from '../../platform/index.ts';

/** What an account can't be closed with. */
export type Obstacle = 'account_has_money' | 'account_has_orders' | 'account_has_withdrawals';

/** Whose account it is, for rooms above. */
export interface Leaving {
  readonly id: string;
  /** What their verified address is known by. */
  readonly mailbox: string | undefined;
}

/** What rooms above still have of an account holder; undefined for nothing. */
export type WhatIsLeft = (db: Statements, leaving: Leaving) => Promise<Obstacle | undefined>;

/** Drops what rooms above keep of an account holder beside the books. */
export type Forget = (tx: Tx, leaving: Leaving) => Promise<void>;
