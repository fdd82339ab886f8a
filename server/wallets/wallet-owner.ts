import { defineOwner } from '../collecting/index.ts';
import { holdersById } from '../auth/index.ts';
import { INTO_WALLET_EVENT } from '../moneyout/index.ts';
import { PAYIN_EVENT, PAYOUT_EVENT, WAY_EVENT } from '../payments/index.ts';
import { applyEvents } from './apply/apply-events.ts';
import { applyPayouts } from './apply/apply-payouts.ts';
import { walletCheck } from './check-books.ts';
import { TRANSFER, WITHDRAWAL } from './kinds.ts';
import { DEPOSITS } from './purpose.ts';
import { walletChangeTokens } from './change-tokens.ts';
import { holdersOfOwners } from './store.ts';
import { walletsMayLeave } from './withdrawals/may-leave.ts';
import { payFoundWithdrawal } from './withdrawals/pay-found.ts';

const KIND = 'wallet';

/**
 * Registers wallets as owners of payments and payouts. An owner's id is that of a receiving address, a withdrawal or a refund of
 * a deposit.
 */
export const WALLET_OWNER = defineOwner({
  kind: KIND,
  purposes: [DEPOSITS],
  outKinds: [WITHDRAWAL, TRANSFER],
  handlers: [
    {
      subscriber: 'wallets',
      events: [PAYIN_EVENT, WAY_EVENT, INTO_WALLET_EVENT],
      handle: (tx, events, { name }) => applyEvents(tx, events, name),
    },
    { subscriber: 'withdrawals', events: [PAYOUT_EVENT], handle: (tx, events, { name }) => applyPayouts(tx, events, name) },
  ],
  mayLeave: walletsMayLeave,
  payFound: { payout: payFoundWithdrawal },
  check: walletCheck,
  changeTokens: (db, holders) =>
    walletChangeTokens(
      db,
      holders.map(({ id }) => id),
    ),
  async byId(db, ids) {
    const holderIds = await holdersOfOwners(db, ids);
    const holders = await holdersById(db, [...new Set(holderIds.values())]);
    return [...holderIds].flatMap(([id, holderId]) => {
      const holder = holders.get(holderId);
      return holder ? [{ owner: { kind: KIND, id }, email: holder.email, locale: holder.locale }] : [];
    });
  },
});
