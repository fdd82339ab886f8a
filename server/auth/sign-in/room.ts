import { Problem } from '@kurs/contract';
import { type Context, type Db, type Mode, type Sealer, type Tx, userOf } from '../../platform/index.ts';
import type { WhatIsLeft } from '../accounts/leaving.ts';
import type { Holder } from '../accounts/holder.ts';
import type { GoogleProvider } from '../google/google-token.ts';
import type { ProveBot } from '../factors/mailed-code.ts';
import type { LevelOf } from './shown-user.ts';
import { type SignedUp, holderById } from '../accounts/store.ts';

/** What rooms above know of a customer by their address goes along to another. */
export type MoveCustomer = (tx: Tx, addresses: { readonly from: string; readonly to: string }) => Promise<void>;

/** What the room's calls need of others. */
export interface AuthDeps {
  readonly db: Db;
  /** What the installation is: its keys say it. */
  readonly mode: Mode;
  /** The desk's name, which letters are signed with. */
  readonly name: string;
  /** Seals the secrets of second factors. */
  readonly sealer: Sealer;
  readonly proveBot: ProveBot;
  readonly levelOf: LevelOf;
  readonly moveCustomer: MoveCustomer;
  readonly signedUp: SignedUp;
  /** What rooms above do as a session begins, by the address that its holder has shown to read. */
  readonly signedIn?: (tx: Tx, email: string) => Promise<void>;
  readonly whatIsLeft: WhatIsLeft;
  /** Absent: nobody signs in with Google here. */
  readonly google?: GoogleProvider | undefined;
}

/** The account of the caller. Throws `unauthorised`, and `record_altered` if its row was changed past the product. */
export async function holderOf({ db }: Pick<AuthDeps, 'db'>, context: Context): Promise<Holder> {
  const holder = await holderById(db, userOf(context).id);
  if (!holder) throw new Problem('unauthorised');
  if (holder.isAltered) throw new Problem('record_altered');
  return holder;
}
