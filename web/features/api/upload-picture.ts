import { CallError } from '@kurs/contract/client';
import { accessToken } from '../account/access-token.ts';
import { fetchApi } from './address.ts';

/** Uploads a picture to a path of the API as the account holder. Returns the answer's data. Throws CallError if it is refused. */
export async function uploadPicture<Data>(path: string, picture: Blob): Promise<Data> {
  const answer = await fetchApi(`/api/v1${path}`, {
    method: 'POST',
    headers: { 'content-type': picture.type, authorization: `Bearer ${accessToken() ?? ''}` },
    body: picture,
  }).catch(() => undefined);
  if (!answer) throw new CallError(0, {});
  const body = (await answer.json()) as { data: Data } & ConstructorParameters<typeof CallError>[1];
  if (!answer.ok) throw new CallError(answer.status, body);
  return body.data;
}
