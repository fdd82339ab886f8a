// Pictures of account holders: uploaded as bytes, and served at URLs that can't be guessed.

import type { FastifyRequest } from 'fastify';
import { AVATARS_PATH, AVATAR_PATH, AVATAR_TYPES, Problem, frameAncestors, routes } from '@kurs/contract';
import { PICTURE_BYTES, storeAvatar, readAvatar } from '../../auth/index.ts';
import { API_PREFIX, type Context, type Db, type Server, userOf } from '../../platform/index.ts';

/** Maximum number (`max`) of pictures that an account holder may upload within `seconds`. */
const SENT = { max: 20, seconds: 3_600 };

/** Mounts the upload of pictures and the URLs that serve them. */
export function mountAvatars(server: Server, db: Db): void {
  const requested = new WeakMap<FastifyRequest, Context>();
  // A separate scope, so that no other call accepts bodies of these types.
  void server.app.register(async (scope) => {
    scope.addContentTypeParser([...AVATAR_TYPES], { parseAs: 'buffer', bodyLimit: PICTURE_BYTES }, (_request, body, done) => {
      done(null, body);
    });
    scope.post(API_PREFIX + AVATAR_PATH, {
      bodyLimit: PICTURE_BYTES,
      // Callers without a session are refused before the body is read.
      onRequest: async (request) => {
        const context = await server.admit(request, routes.avatarRemove);
        await context.limit(`picture of ${userOf(context).id}`, SENT);
        server.allowSlow(request);
        requested.set(request, context);
      },
      handler: async (request, reply) => {
        const context = requested.get(request);
        if (!context?.user) throw new Problem('unauthorised');
        if (!Buffer.isBuffer(request.body)) throw new Problem('unsupported_media_type');
        await storeAvatar(db, context.user.id, request.body);
        return reply.headers({ 'cache-control': 'no-store' }).send({ data: await server.call(routes.userInfo, {}, context) });
      },
    });
  });

  server.app.get(`${API_PREFIX}${AVATARS_PATH}/:key`, async (request, reply) => {
    const picture = await readAvatar(db, (request.params as { key: string }).key);
    if (!picture) return server.fail(request, reply, new Problem('not_found'));
    return reply
      .headers({
        'content-type': picture.type,
        'content-disposition': 'attachment; filename="avatar"',
        'content-security-policy': `default-src 'none'; sandbox; ${frameAncestors()}`,
        'cross-origin-resource-policy': 'same-origin',
        'cache-control': 'private, max-age=31536000, immutable',
      })
      .send(picture.bytes);
  });
}
