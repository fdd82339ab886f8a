import type { Output, Routes } from '@kurs/contract';
import { clientOf } from '@kurs/contract/client';
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
import { pageTransport } from '../../../../features/api/client.ts';
import { uploadPicture } from '../../../../features/api/upload-picture.ts';

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
export const sendPicture = (picture: Blob): Promise<Output<Routes['userInfo']>> => uploadPicture('/user/profile/avatar', picture);
