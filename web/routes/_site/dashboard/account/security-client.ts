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

/** The calls by which an account is guarded. */
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

/** What an authenticator is told. */
export type Setup = Awaited<ReturnType<typeof securityClient.generate2fa>>;

/** One signed-in device. */
export type SessionRow = Awaited<ReturnType<typeof securityClient.userSessions>>[number];
