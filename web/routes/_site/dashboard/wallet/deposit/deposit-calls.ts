import { clientOf } from '@kurs/contract/client';
import { walletDepositAsk, walletDepositRedeem } from '@kurs/contract/paths';
import { accessToken } from '../../../../../features/account/access-token.ts';
import { pageTransport } from '../../../../../features/api/client.ts';

/** API calls that request a deposit through a payment system, and that redeem the voucher for such a deposit. */
export const depositCalls = clientOf(pageTransport(accessToken), { walletDepositAsk, walletDepositRedeem });
