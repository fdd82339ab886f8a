// One part of the site's code: who comes to one of these pages comes to the others.

export { DepositPage } from './deposit.tsx';
export { TransactionPage } from './transaction.tsx';
export { WalletPage } from './wallet.tsx';
export { WithdrawPage } from './withdraw.tsx';
