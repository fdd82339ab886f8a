import { Problem } from '@kurs/contract';
import { type Context, type Db, type Mode, type Sealer, type Tx, userOf } from '../../platform/index.ts';
import type { WhatIsLeft } from '../accounts/leaving.ts';
import type { Holder } from '../accounts/holder.ts';
import type { GoogleProvider } from '../google/google-token.ts';
import type { ProveBot } from '../factors/mailed-code.ts';
import type { LevelOf } from './shown-user.ts';
import { type SignedUp, holderById } from '../accounts/store.ts';

/** Moves a customer's data in other rooms to the customer's new e-mail address. */
export type MoveCustomer = (tx: Tx, addresses: { readonly from: string; readonly to: string }) => Promise<void>;

/** Dependencies of the room's handlers. */
export interface AuthDeps {
  readonly db: Db;
  /** The installation's mode (sandbox or live), which each API key contains. */
  readonly mode: Mode;
  /** The desk's name, for letters. */
  readonly name: string;
  /** Encrypts and decrypts the secrets of second factors. */
  readonly sealer: Sealer;
  readonly proveBot: ProveBot;
  readonly levelOf: LevelOf;
  readonly moveCustomer: MoveCustomer;
  readonly signedUp: SignedUp;
  /** Called in the transaction that begins a session, with the account's verified e-mail address. */
  readonly signedIn?: (tx: Tx, email: string) => Promise<void>;
  readonly whatIsLeft: WhatIsLeft;
  /** Verification of Google's tokens; absent if signing in with Google is not configured. */
  readonly google?: GoogleProvider | undefined;
}

/**
 * Returns the caller's account. Throws `unauthorised`. Throws `record_altered` if the account's row was changed outside the
 * product.
 */
export async function holderOf({ db }: Pick<AuthDeps, 'db'>, context: Context): Promise<Holder> {
  const holder = await holderById(db, userOf(context).id);
  if (!holder) throw new Problem('unauthorised');
  if (holder.isAltered) throw new Problem('record_altered');
  return holder;
}
