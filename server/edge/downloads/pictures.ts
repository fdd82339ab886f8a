// Pictures over HTTP: bodies that are pictures, and answers that no browser interprets as anything else.

import type { FastifyReply, FastifyRequest } from 'fastify';
import { PICTURE_TYPES, Problem, frameAncestors } from '@kurs/contract';
import { API_PREFIX, type Context, PICTURE_BYTES, type Picture, type Server } from '../../platform/index.ts';

/** A URL to which pictures are uploaded. */
interface PictureUpload {
  /** Path below the prefix of the API. */
  readonly path: string;
  /** Returns the context of the call. Throws the Problems of a refused caller, whose body is then not read. */
  readonly admit: (request: FastifyRequest) => Promise<Context>;
  /** Stores the picture. Returns the data of the answer. */
  readonly store: (bytes: Buffer, context: Context, request: FastifyRequest) => Promise<unknown>;
}

/** Mounts a URL that takes a picture as the body of a POST. */
export function takePictures(server: Server, { path, admit, store }: PictureUpload): void {
  const requested = new WeakMap<FastifyRequest, Context>();
  // A separate scope, so that no other call accepts bodies of these types.
  void server.app.register(async (scope) => {
    scope.addContentTypeParser([...PICTURE_TYPES], { parseAs: 'buffer', bodyLimit: PICTURE_BYTES }, (_request, body, done) => {
      done(null, body);
    });
    scope.post(API_PREFIX + path, {
      bodyLimit: PICTURE_BYTES,
      onRequest: async (request) => {
        const context = await admit(request);
        server.allowSlow(request);
        requested.set(request, context);
      },
      handler: async (request, reply) => {
        const context = requested.get(request);
        if (!context?.user) throw new Problem('unauthorised');
        if (!Buffer.isBuffer(request.body)) throw new Problem('unsupported_media_type');
        return reply.headers({ 'cache-control': 'no-store' }).send({ data: await store(request.body, context, request) });
      },
    });
  });
}

/** Sends a picture. `name`: name of a downloaded file. `caches`: caches that may store it, since its URL changes with it. */
export function sendPicture(
  reply: FastifyReply,
  { type, bytes }: Picture,
  { name, caches }: { readonly name: string; readonly caches: 'private' | 'public' },
): FastifyReply {
  return reply
    .headers({
      'content-type': type,
      'content-disposition': `attachment; filename="${name}"`,
      'content-security-policy': `default-src 'none'; sandbox; ${frameAncestors()}`,
      'cross-origin-resource-policy': 'same-origin',
      'cache-control': `${caches}, max-age=31536000, immutable`,
    })
    .send(bytes);
}
