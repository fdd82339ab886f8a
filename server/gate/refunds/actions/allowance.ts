// Decides if a claim goes out without another member of the store, by the present cap of the refund's maker.

import type { Problem } from '@kurs/contract';
import { grantsOf, keysOn } from '../../../auth/index.ts';
import { freezesOf } from '../../../moneyout/index.ts';
import type { Tx } from '../../../platform/index.ts';
import { STORE, asResource } from '../../stores/store.ts';
import { type Claim, type RefundMaker, isOwner } from '../machine/refund.ts';
import { capsOf } from '../rows/cap-rows.ts';
import { usdUnderCap } from '../rows/claim-rows.ts';

const DAY_MS = 86_400_000;

/**
 * Decision about a claim. `cap`: name of the cap that the claim counts towards; undefined for the owner's refunds. `stop`: the problem
 * for which the owner lets nothing go out now.
 */
export interface Allowance {
  readonly isAllowed: boolean;
  readonly cap: string | undefined;
  readonly stop?: Problem | undefined;
}

/**
 * Decides if a claim may go out by the decision of one maker or member. `refunds.create`: the maker of the refund. `refunds.approve`:
 * the member or key that confirms the claim. The caller has locked the store. The owner has no cap. Sums of managers count towards
 * the store's cap for managers, those of an API key towards the key's. A former member, a revoked key, a key that only proposes and
 * an owner whose account is frozen let nothing go out.
 */
export async function allowanceOf(
  tx: Tx,
  store: { readonly id: string; readonly holderId: string },
  maker: RefundMaker,
  { usd, permission }: { readonly usd: bigint; readonly permission: 'refunds.create' | 'refunds.approve' },
): Promise<Allowance> {
  if (isOwner(maker, store)) {
    const stop = (await freezesOf(tx, [store.holderId], tx.now)).get(store.holderId);
    return { isAllowed: !maker.isProposed && stop === undefined, cap: undefined, stop };
  }
  const cap = maker.kind === 'key' ? `key:${maker.id}` : `managers:${store.id}`;
  const mayRefund =
    maker.kind === 'key' ? await keyMay(tx, store.id, maker.id, permission) : await memberMay(tx, store.id, maker.id, permission);
  if (maker.isProposed || !mayRefund) return { isAllowed: false, cap };
  const known = (await capsOf(tx, store.id)).find(({ keyId }) => keyId === (maker.kind === 'key' ? maker.id : undefined));
  const used = await usdUnderCap(tx, cap, new Date(tx.now.getTime() - DAY_MS));
  return { isAllowed: used + usd <= (known?.usd ?? 0n), cap };
}

/** Returns the claims that a store's owner lets out, and whose owner's account is frozen, by id, each with the problem. */
export async function frozenClaims(tx: Tx, claims: readonly Claim[]): Promise<ReadonlyMap<string, Problem>> {
  const byOwner = claims.filter(({ cap }) => cap === undefined);
  const freezes = await freezesOf(
    tx,
    byOwner.map(({ store }) => store.holderId),
    tx.now,
  );
  return new Map(
    byOwner.flatMap(({ id, store }) => {
      const problem = freezes.get(store.holderId);
      return problem ? [[id, problem] as const] : [];
    }),
  );
}

async function keyMay(tx: Tx, storeId: string, keyId: string, permission: string): Promise<boolean> {
  const keys = await keysOn(tx, asResource({ id: storeId }));
  return keys.some(({ id, scopes }) => id === keyId && scopes.includes(permission));
}

async function memberMay(tx: Tx, storeId: string, holderId: string, permission: string): Promise<boolean> {
  const grants = await grantsOf(tx, holderId, STORE);
  return grants.some(({ on, permissions }) => on.id === storeId && permissions.includes(permission));
}
