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

/** API calls by which money leaves wallets, or that edit the address book and the allow-list. */
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
