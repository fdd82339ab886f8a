import { clientOf } from '@kurs/contract/client';
import { emailChange, emailChangeGetOtp, userEmailGetOtp, userEmailVerify } from '@kurs/contract/paths';
import { accessToken } from '../../../../features/account/access-token.ts';
import { pageTransport } from '../../../../features/client.ts';

/** The calls that change an account. */
export const accountCalls = clientOf(pageTransport(accessToken), {
  emailChange,
  emailChangeGetOtp,
  userEmailGetOtp,
  userEmailVerify,
});
