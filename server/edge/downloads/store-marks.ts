// Pictures of stores: uploaded as bytes by members who manage the store, and served at URLs that can't be guessed.

import type { FastifyRequest } from 'fastify';
import { Problem, STORE_MARKS_PATH, STORE_MARK_PATH, routes, wire } from '@kurs/contract';
import { asResource, readMark, setMark, storeView } from '../../gate/index.ts';
import { API_PREFIX, type Db, type Server, requirePermission, userOf } from '../../platform/index.ts';
import { sendPicture, takePictures } from './pictures.ts';

/** Maximum number (`max`) of pictures that a member may upload within `seconds`. */
const SENT = { max: 20, seconds: 3_600 };

/** Mounts the upload of stores' pictures and the URLs that serve them. */
export function mountStoreMarks(server: Server, db: Db): void {
  takePictures(server, {
    path: STORE_MARK_PATH,
    async admit(request) {
      const context = await server.admit(request, routes.storeMarkRemove);
      requirePermission(context.principal?.grants ?? [], 'store.manage', asResource({ id: storeOf(request) }));
      await context.limit(`mark by ${userOf(context).id}`, SENT);
      return context;
    },
    store: async (bytes, _context, request) => storeView(db, await setMark(db, storeOf(request), bytes)),
  });

  server.app.get(`${API_PREFIX}${STORE_MARKS_PATH}/:key`, async (request, reply) => {
    const picture = await readMark(db, (request.params as { key: string }).key);
    if (!picture) return server.fail(request, reply, new Problem('not_found'));
    return sendPicture(reply, picture, { name: 'mark', caches: 'public' });
  });
}

/** Returns the id of the store in a request's path. Throws `forbidden` if it is no id. */
export function storeOf(request: FastifyRequest): string {
  const { store } = request.params as { store: string };
  if (!wire.id.safeParse(store).success) throw new Problem('forbidden');
  return store;
}
