import { OF_ALL, OF_BODY, problemResponses } from './problem-responses.ts';
import type { ProblemCode } from '../problems.ts';
import { FILE_TYPES, TICKET_FILE_PATH } from '../support.ts';

/** Path for uploading a picture. The request's body is the picture's bytes instead of JSON. */
export const AVATAR_PATH = '/user/profile/avatar';
/** Path for reading a picture by its key. */
export const AVATARS_PATH = '/avatar';
/** Path for uploading a store's picture. The request's body is the picture's bytes instead of JSON. */
export const STORE_MARK_PATH = '/store/:store/mark';
/** Path for reading a store's picture by its key. */
export const STORE_MARKS_PATH = '/store-mark';
/** Path for uploading the picture of a store's link. The request's body is the picture's bytes instead of JSON. */
export const STORE_LINK_PICTURE_PATH = '/store/:store/links/:link/picture';
/** Path for reading the picture of a link by its key. */
export const STORE_LINK_PICTURES_PATH = '/link-picture';
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

/** A URL that takes pictures, and those that serve them, for the document. */
interface PictureCalls {
  readonly path: string;
  readonly readPath: string;
  readonly operations: { readonly upload: string; readonly read: string };
  readonly summaries: { readonly upload: string; readonly read: string };
  readonly description: string;
  readonly tag: string;
  /** Schema of the answer's data, and its description. */
  readonly data: Json;
  readonly answer: string;
  readonly problems: readonly ProblemCode[];
}

/**
 * Returns the OpenAPI path items for uploading and reading pictures of accounts, of stores and of links. `problem`,
 * `user`, `store` and `link`: schemas; `client`: the header that names a front end.
 */
export function uploadPaths(
  problem: Json,
  client: Json,
  { user, store, link }: Readonly<Record<'user' | 'store' | 'link', Json>>,
): Json {
  const drawn = 'The body is the picture itself. It is encoded again as a WebP';
  return {
    ...pictureItems(problem, client, {
      ...{ path: AVATAR_PATH, readPath: AVATARS_PATH, tag: 'Account', data: user, answer: 'The account', problems: [] },
      operations: { upload: 'avatarUpload', read: 'avatar' },
      summaries: {
        upload: 'Set the account’s picture: PNG, JPEG or WebP by its bytes, up to 2 MB and 4096 pixels a side',
        read: 'A picture, by the address that `/user/info` names',
      },
      description: `${drawn} of at most 512 pixels a side, without metadata.`,
    }),
    ...pictureItems(problem, client, {
      ...{ path: STORE_MARK_PATH, readPath: STORE_MARKS_PATH, tag: 'Stores', data: store, answer: 'The store' },
      problems: ['forbidden', 'record_altered'],
      operations: { upload: 'storeMarkUpload', read: 'storeMark' },
      summaries: {
        upload: 'Set a store’s picture: PNG, JPEG or WebP by its bytes, up to 2 MB and 4096 pixels a side',
        read: 'A store’s picture, by the address that the store names',
      },
      description: `${drawn} of 256 × 256 pixels with transparent margins, without metadata.`,
    }),
    ...pictureItems(problem, client, {
      ...{ path: STORE_LINK_PICTURE_PATH, readPath: STORE_LINK_PICTURES_PATH, tag: 'Links', data: link, answer: 'The link' },
      problems: ['forbidden', 'link_unknown', 'record_altered'],
      operations: { upload: 'storeLinkPictureUpload', read: 'storeLinkPicture' },
      summaries: {
        upload: 'Set the picture of a link: PNG, JPEG or WebP by its bytes, up to 2 MB and 4096 pixels a side',
        read: 'The picture of a link, by the address that the link names',
      },
      description: `${drawn} of at most 640 pixels a side, without metadata.`,
    }),
  };
}

function pictureItems(problem: Json, client: Json, calls: PictureCalls): Json {
  const { path, readPath, operations, summaries, description, tag, data, answer, problems } = calls;
  const bytes = Object.fromEntries(PICTURE_TYPES.map((type) => [type, { schema: { type: 'string', format: 'binary' } }]));
  const ofData = { type: 'object', properties: { data }, required: ['data'], additionalProperties: false };
  const inPath = (name: string): Json => ({ name, in: 'path', required: true, schema: { type: 'string' } });
  const refused = ['unauthorised', 'unknown_client', 'validation', 'rate_limited', ...problems, ...OF_BODY, ...OF_ALL] as const;
  const post = {
    operationId: operations.upload,
    summary: summaries.upload,
    ...{ description, tags: [tag], security: [{ user: [] }] },
    parameters: [...[...path.matchAll(/:([a-z]+)/g)].map(([, name = '']) => inPath(name)), client],
    requestBody: { required: true, content: bytes },
    responses: {
      200: { description: answer, content: { 'application/json': { schema: ofData } } },
      ...problemResponses(refused, problem),
    },
  };
  const get = {
    operationId: operations.read,
    summary: summaries.read,
    ...{ tags: [tag], security: [{}], parameters: [inPath('key')] },
    responses: { 200: { description: 'The picture', content: bytes }, ...problemResponses(['not_found', ...OF_ALL], problem) },
  };
  return { [`/api/v1${path.replace(/:([a-z]+)/g, '{$1}')}`]: { post }, [`/api/v1${readPath}/{key}`]: { get } };
}
