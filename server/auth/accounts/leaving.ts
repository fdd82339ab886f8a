// Types of functions for closing an account, which other rooms implement.

import type { Statements, Tx } from '../../platform/index.ts';

/** Reasons for which an account can't be closed. */
export type Obstacle =
  | 'account_has_money'
  | 'account_has_orders'
  | 'account_has_withdrawals'
  | 'account_has_business'
  | 'account_has_stores';

/** The account that is to be closed. */
export interface Leaving {
  readonly id: string;
  /** Key of the account's e-mail address (`emailKey`); undefined if the address was never verified. */
  readonly mailbox: string | undefined;
}

/** Returns the obstacle to closing an account; undefined if the account can be closed. */
export type WhatIsLeft = (db: Statements, leaving: Leaving) => Promise<Obstacle | undefined>;

/** Deletes the data of other rooms about an account holder, except the books. */
export type Forget = (tx: Tx, leaving: Leaving) => Promise<void>;
