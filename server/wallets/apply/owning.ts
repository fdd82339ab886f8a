import type { Owning } from '../../collecting/index.ts';
import type { AccountType } from '../../ledger/index.ts';
import { INTO_WALLET_EVENT } from '../../moneyout/index.ts';
import { PAYIN_EVENT, PAYOUT_EVENT, WAY_EVENT } from '../../payments/index.ts';
import { applyEvents } from './apply-events.ts';
import { applyPayouts } from './apply-payouts.ts';
import { walletsMayLeave } from '../withdrawals/may-leave.ts';

/**
 * The account types of the ledger in which money stands for deposits and withdrawals. What is available stands for the wallet itself.
 */
export const WALLET_ACCOUNT_TYPES: readonly AccountType[] = ['wallet:held', 'wallet:uncleared', 'receivable', 'payout'];

/** Wallets, as what payments and payouts are owned by. `name`: the product's, for letters. */
export const walletOwning = (name: string): Owning => ({
  kind: 'wallet',
  accounts: WALLET_ACCOUNT_TYPES,
  mayLeave: walletsMayLeave,
  handlers: [
    {
      subscriber: 'wallets',
      events: [PAYIN_EVENT, WAY_EVENT, INTO_WALLET_EVENT],
      handle: (tx, events) => applyEvents(tx, events, name),
    },
    { subscriber: 'withdrawals', events: [PAYOUT_EVENT], handle: (tx, events) => applyPayouts(tx, events, name) },
  ],
});
