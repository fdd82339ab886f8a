// Closes an account across rooms: finds the obstacles, and deletes the data.

import { canTakeOut, forgetPostbacks, giveUpRewards } from '../affiliates/index.ts';
import type { Forget, WhatIsLeft } from '../auth/index.ts';
import { UnitOfWork } from '../collecting/index.ts';
import { setLevel } from '../compliance/index.ts';
import { forgetStored, giveUpCredit } from '../coupons/index.ts';
import { giveUpPrizes } from '../earn/index.ts';
import { forgetTurnoverOf } from '../loyalty/index.ts';
import { hasOpenOrders } from '../exchange/index.ts';
import { forgetStores, hasOpenBusiness, haveStoresMoney } from '../gate/index.ts';
import { forgetHolder } from '../moneyout/index.ts';
import type { Tx } from '../platform/index.ts';
import { forgetCampaigns } from '../referrals/index.ts';
import { forgetTickets } from '../support/index.ts';
import { forgetInTransfers, remainingInWallets } from '../wallets/index.ts';

/**
 * Returns the problem that keeps an account from being closed; undefined if there is none. Checks for money first, since its loss
 * would matter most.
 */
export const whatIsLeft: WhatIsLeft = async (db, leaving) => {
  const left = await remainingInWallets(db, leaving.id);
  if (left === 'money') return 'account_has_money';
  if (left === 'withdrawal') return 'account_has_withdrawals';
  if (await canTakeOut(db, leaving.id)) return 'account_has_money';
  if (await hasOpenOrders(db, leaving)) return 'account_has_orders';
  if (await hasOpenBusiness(db, leaving.id)) return 'account_has_business';
  return (await haveStoresMoney(db, leaving.id)) ? 'account_has_stores' : undefined;
};

/**
 * Deletes the holder's data in all rooms: address book, name in other holders' statements, tickets with files, turnover, stored
 * coupons, roles on stores, and campaigns with their statistics and postbacks. Chats stay, as part of their orders. If the person returns with the
 * same address, they start at level 0.
 */
export const forget: Forget = async (tx, { id, mailbox }) => {
  await forgetHolder(tx, id);
  await forgetInTransfers(tx, id);
  await forgetStores(tx, { id, mailbox });
  await forgetStored(tx, id);
  await giveUp(tx, { id, mailbox });
  await forgetPostbacks(tx, id);
  await forgetCampaigns(tx, id);
  await setLevel(tx, id, 0, 'closed');
  if (mailbox === undefined) return;
  await forgetTickets(tx, mailbox);
  await forgetTurnoverOf(tx, mailbox);
};

/** Puts credit and rewards that can't be paid out back into their pots. */
async function giveUp(tx: Tx, { id, mailbox }: { readonly id: string; readonly mailbox?: string | undefined }): Promise<void> {
  const unit = new UnitOfWork(tx);
  // Locks prizes before credit, to avoid deadlocks: the code that turns prizes into credit locks them in the same sequence.
  const prizes = await giveUpPrizes(tx, id);
  unit.post(await giveUpCredit(tx, id));
  unit.post(prizes);
  await giveUpRewards(unit, { id, email: mailbox });
  await unit.commit();
}
