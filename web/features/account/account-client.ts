import { clientOf } from '@kurs/contract/client';
import { logout, userInfo } from '@kurs/contract/paths';
import { pageTransport } from '../api/client.ts';
import { accessToken } from './access-token.ts';

/** API calls about the signed-in account, with the token of this browser's session. */
export const accountClient = clientOf(pageTransport(accessToken), {
  logout,
  userInfo,
});
