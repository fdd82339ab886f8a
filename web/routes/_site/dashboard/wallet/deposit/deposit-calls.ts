import { clientOf } from '@kurs/contract/client';
import { walletDepositAsk, walletDepositRedeem } from '@kurs/contract/paths';
import { accessToken } from '../../../../../features/account/access-token.ts';
import { pageTransport } from '../../../../../features/api/client.ts';

/** The calls that ask for a deposit at a payment system, and enter a voucher towards one. */
export const depositCalls = clientOf(pageTransport(accessToken), { walletDepositAsk, walletDepositRedeem });
