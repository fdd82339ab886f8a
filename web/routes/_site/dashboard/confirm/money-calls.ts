import { clientOf } from '@kurs/contract/client';
import {
  userEmailGetOtp,
  walletAddressRemove,
  walletAddressStore,
  walletAddresses,
  walletAllowList,
  walletConfirmation,
  walletPersonStore,
  walletTransfer,
  walletWithdrawCancel,
  walletWithdrawCancelWaiting,
  walletWithdrawVoucher,
  walletWithdrawQuote,
  walletWithdrawRequest,
} from '@kurs/contract/paths';
import { accessToken } from '../../../../features/account/access-token.ts';
import { pageTransport } from '../../../../features/api/client.ts';

/** The calls that take money out of wallets, and those that say where it may go. */
export const moneyCalls = clientOf(pageTransport(accessToken), {
  userEmailGetOtp,
  walletAddressRemove,
  walletAddressStore,
  walletAddresses,
  walletAllowList,
  walletConfirmation,
  walletPersonStore,
  walletTransfer,
  walletWithdrawCancel,
  walletWithdrawCancelWaiting,
  walletWithdrawVoucher,
  walletWithdrawQuote,
  walletWithdrawRequest,
});
