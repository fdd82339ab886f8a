// Withdrawals that wait for the desk: who asked for what, and the desk's word on them.

import { type Input, type Output, Problem, type Routes } from '@kurs/contract';
import { format, money } from '@kurs/money';
import { holderById } from '../auth/index.ts';
import type { Db } from '../platform/index.ts';
import { decideWithdrawal, peopleToApprove, waitingWithdrawals, withdrawalById } from '../wallets/index.ts';
import type { Person } from './roles.ts';
import { type Acted, actAs } from './two-people.ts';

const MOST = 200;

/** The withdrawals that wait for a person, oldest first. */
export async function withdrawalsView(db: Db): Promise<Output<Routes['operatorWithdrawals']>> {
  const waiting = await waitingWithdrawals(db, MOST);
  return Promise.all(
    waiting.map(async ({ id, status, holderId, unit, parts, fee, usd, currency, to, people, askedAt }) => ({
      ...{ id, status, by: currency, to, people, asked_at: askedAt.toISOString() },
      email: (await holderById(db, holderId))?.email ?? '',
      amount: { amount: format(money(unit, parts + fee)), currency: unit },
      fee: { amount: format(money(unit, fee)), currency: unit },
      usd: format(money('USD', usd)),
    })),
  );
}

/**
 * Lets a withdrawal out or turns it down; what takes two people is asked for by one and confirmed by the other. Throws
 * `not_found`, `order_changed` where it waits no more, and what `actAs` throws.
 */
export async function actOnWithdrawal(
  db: Db,
  person: Person,
  { id, act, reason }: Input<Routes['operatorWithdrawal']>,
  { name, key }: { readonly name: string; readonly key: string | undefined },
): Promise<Acted & { readonly state: string }> {
  return db.tx(async (tx) => {
    const one = await withdrawalById(tx, id);
    if (!one) throw new Problem('not_found');
    let state: string = one.status;
    const people = act === 'approve' ? peopleToApprove(one) : 1;
    const check = (): void => {
      if (one.status !== 'approving') throw new Problem('order_changed');
    };
    const wanted = { act: `withdrawal_${act}`, subject: id, reason, role: 'operator', people, body: {}, key, check } as const;
    const acted = await actAs(tx, person, wanted, async (by) => {
      state = (await decideWithdrawal(tx, name, { id, act, reason, by })).status;
    });
    return { ...acted, state };
  });
}
