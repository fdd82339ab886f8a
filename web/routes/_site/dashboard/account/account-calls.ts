import type { Output, Routes } from '@kurs/contract';
import { CallError, clientOf } from '@kurs/contract/client';
import {
  avatarRemove,
  emailChange,
  emailChangeGetOtp,
  profileUpdate,
  recoveryCodes,
  userClose,
  userEmailGetOtp,
  userEmailVerify,
  userExportTicket,
} from '@kurs/contract/paths';
import { accessToken } from '../../../../features/account/access-token.ts';
import { fetchApi } from '../../../../features/api/address.ts';
import { pageTransport } from '../../../../features/api/client.ts';

/** API calls that change the account. */
export const accountCalls = clientOf(pageTransport(accessToken), {
  avatarRemove,
  emailChange,
  emailChangeGetOtp,
  profileUpdate,
  recoveryCodes,
  userClose,
  userEmailGetOtp,
  userEmailVerify,
  userExportTicket,
});

/** Uploads the account's profile picture. Returns the changed account. Throws CallError if the upload fails. */
export async function sendPicture(picture: Blob): Promise<Output<Routes['userInfo']>> {
  const answer = await fetchApi('/api/v1/user/profile/avatar', {
    method: 'POST',
    headers: { 'content-type': picture.type, authorization: `Bearer ${accessToken() ?? ''}` },
    body: picture,
  }).catch(() => undefined);
  if (!answer) throw new CallError(0, {});
  const body = (await answer.json()) as { data: Output<Routes['userInfo']> } & ConstructorParameters<typeof CallError>[1];
  if (!answer.ok) throw new CallError(answer.status, body);
  return body.data;
}
