import { OF_ALL, OF_BODY, problemResponses } from './problem-responses.ts';
import { FILE_TYPES, TICKET_FILE_PATH } from '../support.ts';

/** Path for uploading a picture. The request's body is the picture's bytes instead of JSON. */
export const AVATAR_PATH = '/user/profile/avatar';
/** Path for reading a picture by its key. */
export const AVATARS_PATH = '/avatar';
/** Path for reading a store's picture by its key. */
export const STORE_MARKS_PATH = '/store-mark';
/** Accepted formats of pictures. */
export const PICTURE_TYPES = ['image/png', 'image/jpeg', 'image/webp'] as const;

/**
 * Returns the OpenAPI path item of a ticket's files. `problem`: schema of a problem; `client`: the header that names a front end.
 */
export function ticketFilePath(problem: Json, client: Json): Record<string, Json> {
  const inQuery = (name: string): Json => ({ name, in: 'query', required: true, schema: { type: 'string' } });
  const bytes = Object.fromEntries(FILE_TYPES.map((type) => [type, { schema: { type: 'string', format: 'binary' } }]));
  const get = {
    operationId: 'ticketFile',
    summary: 'A file of a ticket, always as a download',
    tags: ['Support'],
    security: [{}],
    parameters: [...['id', 'token', 'n'].map(inQuery), client],
    responses: {
      200: { description: 'The file', content: bytes },
      ...problemResponses(['ticket_not_found', 'unknown_client', 'rate_limited', ...OF_ALL], problem),
    },
  };
  return { [`/api/v1${TICKET_FILE_PATH}`]: { get } };
}

type Json = { [key: string]: unknown };

/**
 * Returns the OpenAPI path items for uploading and reading pictures. `problem` and `user`: schemas; `client`: the header that
 * names a front end.
 */
export function uploadPaths(problem: Json, client: Json, user: Json): Record<string, Json> {
  const bytes = Object.fromEntries(PICTURE_TYPES.map((type) => [type, { schema: { type: 'string', format: 'binary' } }]));
  const ofData = { type: 'object', properties: { data: user }, required: ['data'], additionalProperties: false };
  const post = {
    operationId: 'avatarUpload',
    summary: 'Set the account’s picture: PNG, JPEG or WebP by its bytes, up to 2 MB and 4096 pixels a side',
    description: 'The body is the picture itself. It is encoded again as a WebP of at most 512 pixels a side, without metadata.',
    tags: ['Account'],
    security: [{ user: [] }],
    parameters: [client],
    requestBody: { required: true, content: bytes },
    responses: {
      200: {
        description: 'The account',
        content: { 'application/json': { schema: ofData } },
      },
      ...problemResponses(['unauthorised', 'unknown_client', 'validation', 'rate_limited', ...OF_BODY, ...OF_ALL], problem),
    },
  };
  const get = {
    operationId: 'avatar',
    summary: 'A picture, by the address that `/user/info` names',
    tags: ['Account'],
    security: [{}],
    parameters: [{ name: 'key', in: 'path', required: true, schema: { type: 'string' } }],
    responses: { 200: { description: 'The picture', content: bytes }, ...problemResponses(['not_found', ...OF_ALL], problem) },
  };
  return { [`/api/v1${AVATAR_PATH}`]: { post }, [`/api/v1${AVATARS_PATH}/{key}`]: { get } };
}
