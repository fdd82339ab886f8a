import { clientOf, httpTransport } from '@kurs/contract/client';
import { botChallenge, logout, signUpConfirm, signUpGetOtp, userInfo } from '@kurs/contract/paths';
import { accessToken } from './access-token.ts';

/** The calls of an account, with the token of this browser's session. */
export const accountClient = clientOf(
  httpTransport({ base: '', clientId: 'web', locale: () => document.documentElement.lang, token: accessToken }),
  { botChallenge, logout, signUpConfirm, signUpGetOtp, userInfo },
);
