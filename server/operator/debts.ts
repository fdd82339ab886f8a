// Debtors as the desk sees them.

import type { Output, Routes } from '@kurs/contract';
import { format, money } from '@kurs/money';
import { holderById } from '../auth/index.ts';
import { openDebts } from '../compliance/index.ts';
import { readOrders } from '../exchange/index.ts';
import type { Db } from '../platform/index.ts';
import { depositById } from '../wallets/index.ts';

const MOST = 500;

/** What is owed, oldest first. */
export async function debtsView(db: Db): Promise<Output<Routes['operatorDebts']>> {
  const debts = await openDebts(db, MOST);
  const ids = debts.flatMap(({ id, about }) => (about === 'order' ? [id] : []));
  const orders = new Map((await readOrders(db, ids)).map((order) => [order.view.id, order]));
  return Promise.all(
    debts.map(async ({ id, about, unit, parts, since, keys }) => {
      const order = orders.get(id);
      return {
        id: order?.number ?? id,
        about,
        owed: { amount: format(money(unit, parts)), currency: unit },
        email: order?.email ?? (await emailOf(db, id)),
        known_by: keys.filter((key) => !key.startsWith('order:')),
        since: since.toISOString(),
      };
    }),
  );
}

async function emailOf(db: Db, deposit: string): Promise<string> {
  const one = await depositById(db, deposit);
  return (one && (await holderById(db, one.holderId))?.email) ?? '';
}
