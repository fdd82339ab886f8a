// Where the rooms meet when an account is closed: what is left in it, and what is dropped with it.

import { canTakeOut, forgetPostbacks, giveUpRewards } from '../affiliates/index.ts';
import type { Forget, WhatIsLeft } from '../auth/index.ts';
import { UnitOfWork } from '../collecting/index.ts';
import { setLevel } from '../compliance/index.ts';
import { forgetKept, giveUpCredit } from '../coupons/index.ts';
import { giveUpPrizes } from '../earn/index.ts';
import { forgetTurnoverOf } from '../loyalty/index.ts';
import { hasOpenOrders } from '../exchange/index.ts';
import { forgetHolder } from '../moneyout/index.ts';
import type { Tx } from '../platform/index.ts';
import { forgetCampaigns } from '../referrals/index.ts';
import { forgetTickets } from '../support/index.ts';
import { forgetInTransfers, remainingInWallets } from '../wallets/index.ts';

/** Money first, since it is what somebody would miss most. */
export const whatIsLeft: WhatIsLeft = async (db, leaving) => {
  const left = await remainingInWallets(db, leaving.id);
  if (left === 'money') return 'account_has_money';
  if (left === 'withdrawal') return 'account_has_withdrawals';
  if (await canTakeOut(db, leaving.id)) return 'account_has_money';
  return (await hasOpenOrders(db, leaving)) ? 'account_has_orders' : undefined;
};

/**
 * The address book goes, the name in statements of others, the tickets with their files, the turnover, which coupons they keep,
 * and campaigns with what they brought and where they were told; chats stay with their orders.
 * Anyone who comes again with the same address shows anew who they are.
 */
export const forget: Forget = async (tx, { id, mailbox }) => {
  await forgetHolder(tx, id);
  await forgetInTransfers(tx, id);
  await forgetKept(tx, id);
  await giveUp(tx, { id, mailbox });
  await forgetPostbacks(tx, id);
  await forgetCampaigns(tx, id);
  await setLevel(tx, id, 0, 'closed');
  if (mailbox === undefined) return;
  await forgetTickets(tx, mailbox);
  await forgetTurnoverOf(tx, mailbox);
};

/** What cannot be taken out of an account goes back to the pot that it came from. */
async function giveUp(tx: Tx, { id, mailbox }: { readonly id: string; readonly mailbox?: string | undefined }): Promise<void> {
  const unit = new UnitOfWork(tx);
  // Prizes are locked before credit, as where they become credit.
  const prizes = await giveUpPrizes(tx, id);
  unit.post(await giveUpCredit(tx, id));
  unit.post(prizes);
  await giveUpRewards(unit, { id, email: mailbox });
  await unit.commit();
}
