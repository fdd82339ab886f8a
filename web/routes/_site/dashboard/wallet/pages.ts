// One part of the site's code: who comes to one of these pages comes to the others. The account's page has the address book
// and what confirms it in common with them.

export { AccountPage } from '../account/account.tsx';
export { DepositPage } from './deposit.tsx';
export { TransactionPage } from './transaction.tsx';
export { WalletPage } from './wallet.tsx';
export { WithdrawPage } from './withdraw.tsx';
