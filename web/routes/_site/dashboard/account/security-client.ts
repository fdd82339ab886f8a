import { clientOf } from '@kurs/contract/client';
import {
  changePassword,
  disable2fa,
  enable2fa,
  generate2fa,
  googleUnlink,
  userSessions,
  userSessionsEnd,
  userSessionsEndOthers,
} from '@kurs/contract/paths';
import { accessToken } from '../../../../features/account/access-token.ts';
import { pageTransport } from '../../../../features/api/client.ts';

/** API calls for the password, the second factor, Google and sessions. */
export const securityClient = clientOf(pageTransport(accessToken), {
  changePassword,
  disable2fa,
  enable2fa,
  generate2fa,
  googleUnlink,
  userSessions,
  userSessionsEnd,
  userSessionsEndOthers,
});

/** Secret for a new authenticator, as a QR code and as text. */
export type Setup = Awaited<ReturnType<typeof securityClient.generate2fa>>;

/** Session of the account, that is, one signed-in device. */
export type SessionRow = Awaited<ReturnType<typeof securityClient.userSessions>>[number];
