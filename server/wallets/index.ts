// Wallets: account holders' money, in units. The ledger holds the money; this room knows its holders, deposits and withdrawals.
//
// wallet      a holder's money of one unit: available, held (to be withdrawn), uncleared (can still be taken back)
// address     the address at which a holder pays into their wallet in one currency: always the same, watched for ever
// operation   anything that moved in a wallet, as its holder's list shows it; entry: the same in the books
// withdrawal  money that leaves a wallet by a rail: held while people check it, then a payout of its own; a voucher is shown
// transfer    money that goes from one holder's wallet into another's
// requested   an address for one payment at a payment system, prepared there before it is paid
// deposit     a payment to an address; it becomes the holder's once it is final
// uncleared   the holder's, but not yet usable: a person checks its sender, or its rail can still take it back (it matures)

export { remainingInWallets } from './remaining-money.ts';
export { forgetInTransfers } from './transfer-store.ts';
export { walletNotices } from './notices.ts';
export { walletRoutes } from './routes.ts';
export { unitsView } from './views/views.ts';
export { moneyOutOfWallets } from './money-out-routes.ts';
export { turnDownUnsent } from './withdrawals/turn-down.ts';
export { rewardsOwed } from './withdrawals/withdrawal-obstacles.ts';
export { clearToLeave, decideWithdrawal, peopleToApprove, worthNow } from './withdrawals/withdraw.ts';
export {
  haveWithdrawnTo,
  undeliveredWithdrawals,
  waitingOfAffiliates,
  waitingWithdrawals,
  withdrawalById,
  withdrawnByAffiliates,
} from './withdrawals/withdrawal-store.ts';
export type { Withdrawal } from './withdrawals/withdrawal.ts';
export { shownStatus } from './withdrawals/shown-status.ts';
export { POSTING_WORDS as WITHDRAWAL_POSTINGS, WITHDRAWAL_TABLE } from './withdrawals/withdrawal.ts';
export { DEPOSIT_POSTINGS, DEPOSIT_TABLE } from './deposits/deposit-machine.ts';
export { clearBackAccount, decideDeposit } from './deposits/decide-deposit.ts';
export { checkingDeposits, depositById } from './store.ts';
export { walletCheck } from './check-books.ts';
export { runDeposits } from './apply/due-deposits.ts';
export { WALLET_OWNER } from './wallet-owner.ts';
export { operationRows } from './views/operation-export.ts';
