// Pictures of account holders: uploaded as bytes, and served at URLs that can't be guessed.

import { AVATARS_PATH, AVATAR_PATH, Problem, routes } from '@kurs/contract';
import { readAvatar, storeAvatar } from '../../auth/index.ts';
import { API_PREFIX, type Db, type Server, userOf } from '../../platform/index.ts';
import { sendPicture, takePictures } from './pictures.ts';

/** Maximum number (`max`) of pictures that an account holder may upload within `seconds`. */
const SENT = { max: 20, seconds: 3_600 };

/** Mounts the upload of pictures and the URLs that serve them. */
export function mountAvatars(server: Server, db: Db): void {
  takePictures(server, {
    path: AVATAR_PATH,
    async admit(request) {
      const context = await server.admit(request, routes.avatarRemove);
      await context.limit(`picture of ${userOf(context).id}`, SENT);
      return context;
    },
    async store(bytes, context) {
      await storeAvatar(db, userOf(context).id, bytes);
      return server.call(routes.userInfo, {}, context);
    },
  });

  server.app.get(`${API_PREFIX}${AVATARS_PATH}/:key`, async (request, reply) => {
    const picture = await readAvatar(db, (request.params as { key: string }).key);
    if (!picture) return server.fail(request, reply, new Problem('not_found'));
    return sendPicture(reply, picture, { name: 'avatar', caches: 'private' });
  });
}
