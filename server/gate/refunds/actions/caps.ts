// The owner of a store sets the sums up to which claims go out without them.

import { type Input, type Output, Problem, type Routes, fieldProblem } from '@kurs/contract';
import { MoneyError, format, money, parse } from '@kurs/money';
import { keysOn, nameOfKey } from '../../../auth/index.ts';
import { requireUnfrozen } from '../../../moneyout/index.ts';
import type { Db, Statements } from '../../../platform/index.ts';
import { lockAsMember } from '../../members/membership.ts';
import { asResource } from '../../stores/store.ts';
import { capsOf, saveCap } from '../rows/cap-rows.ts';

type Caps = Output<Routes['refundCaps']>;

/** Returns the caps of a store: of its managers, and of each API key that may refund. */
export async function capsView(db: Statements, storeId: string): Promise<Caps> {
  const caps = await capsOf(db, storeId);
  const keys = (await keysOn(db, asResource({ id: storeId }))).filter(mayRefund);
  const of = (keyId: string | undefined): string => format(money('USD', caps.find((cap) => cap.keyId === keyId)?.usd ?? 0n), 2);
  return { managers: of(undefined), keys: keys.map((key) => ({ id: key.id, name: nameOfKey(key), cap: of(key.id) })) };
}

const mayRefund = ({ scopes }: { readonly scopes: readonly string[] }): boolean =>
  scopes.includes('refunds.create') || scopes.includes('refunds.approve');

/**
 * Sets a cap. Throws `forbidden` for everybody but the owner, `withdrawals_frozen` while the owner's account is frozen, `not_found` for
 * a key that can't refund, and `validation` on `cap`.
 */
export async function setCap(
  db: Db,
  { store: storeId, key: keyId, cap }: Input<Routes['refundCapSet']>,
  holderId: string,
): Promise<Caps> {
  const usd = centsOfText(cap);
  await db.tx(async (tx) => {
    const { store, isOwner } = await lockAsMember(tx, { storeId, holderId, wanted: 'members.manage' });
    if (!isOwner) throw new Problem('forbidden');
    // Somebody who took over the account could raise a cap, and let money out by a key.
    await requireUnfrozen(tx, holderId, tx.now);
    const keys = keyId === undefined ? [] : (await keysOn(tx, asResource(store))).filter(mayRefund);
    if (keyId !== undefined && !keys.some(({ id }) => id === keyId)) throw new Problem('not_found');
    await saveCap(tx, { storeId, keyId, usd, setAt: tx.now, setBy: holderId });
  });
  return capsView(db, storeId);
}

function centsOfText(text: string): bigint {
  try {
    return parse('USD', text).parts;
  } catch (error) {
    if (error instanceof MoneyError) throw fieldProblem('cap', 'amount_format');
    throw error;
  }
}
