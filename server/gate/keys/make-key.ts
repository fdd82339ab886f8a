// API keys of a store: made, listed and revoked by its members.

import { type Input, type Output, Problem, type Routes, STORE_SCOPES } from '@kurs/contract';
import { type ListedKey, holdersById, keysOn, makeApiKey, openAmong, requireRecent, revokeKeysOn } from '../../auth/index.ts';
import type { Sender } from '../../deliveries/index.ts';
import { type Context, type Db, type KeepAnswer, type Mode, type Statements, type User, userOf } from '../../platform/index.ts';
import { lockAsMember, managedBy } from '../members/membership.ts';
import { asResource, isTestStore } from '../stores/store.ts';
import { openStore } from '../stores/store-rows.ts';
import { queueKeyMade } from './letters.ts';
import { givableBy, isKeyOfOwner } from './store-key.ts';

/** Dependencies of calls about keys. `mode`: the installation's mode, which each key contains. */
export interface KeyDeps {
  readonly db: Db;
  readonly sender: Sender;
  readonly mode: Mode;
}

/** A new key as its maker sees it, with the key itself. */
export type NewStoreKey = Output<Routes['storeKeyMake']>;

/**
 * Makes an API key of a store, and queues letters about it to the owner and to its maker. Throws `forbidden` for a permission that
 * the maker can't give, `store_without_members`, the problems of `requireRecent`, and `validation` if the store has too many keys.
 * `keep`: stores the answer of the call with the key.
 */
export async function makeStoreKey(
  { db, sender, mode }: KeyDeps,
  { store: storeId, permissions, password, otp, ...request }: Input<Routes['storeKeyMake']>,
  context: Context,
  keep?: KeepAnswer<NewStoreKey>,
): Promise<NewStoreKey> {
  const user = userOf(context);
  const spendShown = await requireRecent(db, user.id, { password, otp }, 'api_key', context);
  return db.tx(async (tx) => {
    await spendShown(tx);
    const managed = await lockAsMember(tx, { storeId, holderId: user.id, wanted: 'keys.manage' });
    const givable: readonly string[] = givableBy(managed);
    if (!permissions.every((one) => givable.includes(one))) throw new Problem('forbidden');
    const { store } = managed;
    const bound = { on: asResource(store), madeBy: user.id, isTest: isTestStore(store) };
    const made = await makeApiKey(tx, { holderId: store.holderId, mode, bound }, { ...request, scopes: permissions });
    await queueKeyMade(tx, sender, store, { key: made, by: user, ip: context.ip });
    const [view] = await keyViews(tx, [made]);
    if (!view) throw new Error('a key that was made is not shown');
    const shown = { ...view, key: made.key };
    await keep?.(tx, shown);
    return shown;
  });
}

/** Returns the valid keys of a store, and the permissions that the caller may give to a new one. Throws `record_altered`. */
export async function storeKeysView(db: Db, storeId: string, context: Context): Promise<Output<Routes['storeKeys']>> {
  const store = await openStore(db, storeId);
  const managed = managedBy(store, userOf(context).id, context.principal?.grants ?? []);
  return { keys: await keyViews(db, await keysOn(db, asResource(store))), givable: givableBy(managed) };
}

/** Returns keys in the form of the API. A maker whose account is closed has no address. */
async function keyViews(db: Statements, keys: readonly ListedKey[]): Promise<Output<Routes['storeKeys']>['keys']> {
  const makers = keys.flatMap(({ madeBy }) => madeBy ?? []);
  const [holders, open] = [await holdersById(db, makers), await openAmong(db, makers)];
  return keys.map(({ scopes, madeBy = '', isTest: test, ...key }) => ({
    ...key,
    permissions: STORE_SCOPES.filter((one) => scopes.includes(one)),
    made_by: open.has(madeBy) ? (holders.get(madeBy)?.email ?? '') : '',
    test,
  }));
}

/**
 * Revokes a key of a store. Throws `not_found` if the store has no valid key with this id, and `forbidden` if only the owner may
 * revoke it.
 */
export async function revokeStoreKey(
  db: Db,
  { store: storeId, id }: Input<Routes['storeKeyRevoke']>,
  { id: holderId }: User,
): Promise<void> {
  await db.tx(async (tx) => {
    const { store, isOwner } = await lockAsMember(tx, { storeId, holderId, wanted: 'keys.manage' });
    const key = (await keysOn(tx, asResource(store))).find((one) => one.id === id);
    if (!key) throw new Problem('not_found');
    if (isKeyOfOwner(key.scopes) && !isOwner) throw new Problem('forbidden');
    await revokeKeysOn(tx, asResource(store), { ids: [id] });
  });
}
