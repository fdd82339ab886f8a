// Deposits into wallets that wait for the desk: the list, and decisions about them.

import { type Input, type Output, Problem, type Routes } from '@kurs/contract';
import { format, money } from '@kurs/money';
import { holderById } from '../../../auth/index.ts';
import { type Db, alsoAbout, requirePermission } from '../../../platform/index.ts';
import { checkingDeposits, clearBackAccount, decideDeposit, depositById } from '../../../wallets/index.ts';
import type { Person } from '../../people/roles.ts';
import { type Acted, actAs } from '../../people/two-people.ts';

const MAX = 200;

/** Returns the deposits whose sender a person must check, the oldest first. */
export async function depositsView(db: Db): Promise<Output<Routes['operatorDeposits']>> {
  const waiting = await checkingDeposits(db, MAX);
  return Promise.all(
    waiting.map(
      async ({ payinId, holderId, unit, parts, uncleared, currency, why, senders, txid, source, freeAt, seenAt, papers }) => ({
        ...{ id: payinId, by: currency, why: why ?? '', from: [...senders], txid, seen_at: seenAt.toISOString() },
        email: (await holderById(db, holderId))?.email ?? '',
        amount: { amount: format(money(unit, parts)), currency: unit },
        uncleared: { amount: format(money(unit, uncleared)), currency: unit },
        ...(source && { back_to: { ...source.fields } }),
        ...(papers && { papers }),
        ...(freeAt && { free_at: freeAt.toISOString() }),
      }),
    ),
  );
}

/**
 * Releases a deposit, returns it, requests papers of its holder, or records that papers came. Takes a compliance officer, as
 * for a held order. `name`: the product's name, for letters. Throws `not_found`, `order_changed` if the deposit no longer
 * waits, and the errors of `clearBackAccount` and `actAs`.
 */
export async function actOnDeposit(
  db: Db,
  person: Person,
  { id, action, account, reason }: Input<Routes['operatorDeposit']>,
  { name, key }: { readonly name: string; readonly key: string | undefined },
): Promise<Acted & { readonly state: string }> {
  requirePermission(person, 'deposits.judge');
  // Calls the network, so no transaction may be open.
  const to = action === 'give_back' ? await clearBackAccount(db, id, account) : undefined;
  return db.tx(async (tx) => {
    const one = await depositById(tx, id);
    if (!one) throw new Problem('not_found');
    alsoAbout({ depositId: id });
    let state: string = one.status;
    const check = (): void => {
      if (one.status !== 'checking') throw new Problem('order_changed');
    };
    const body = to ? { to } : {};
    const wanted = {
      action: `deposit_${action}`,
      subject: id,
      reason,
      permission: 'deposits.judge',
      people: 1,
      body,
      key,
      check,
    } as const;
    const acted = await actAs(tx, person, wanted, async (by) => {
      state = (await decideDeposit(tx, name, { id, action, by, to })).status;
    });
    return { ...acted, state };
  });
}
