// Pictures of stores' links: uploaded as bytes by members who manage invoices, and served at URLs that can't be guessed.

import type { FastifyRequest } from 'fastify';
import { Problem, STORE_LINK_PICTURES_PATH, STORE_LINK_PICTURE_PATH, routes, wire } from '@kurs/contract';
import type { Sender } from '../../deliveries/index.ts';
import { asResource, linkView, readPicture, setPicture } from '../../gate/index.ts';
import { API_PREFIX, type Db, type Server, requirePermission, userOf } from '../../platform/index.ts';
import { sendPicture, takePictures } from './pictures.ts';
import { storeOf } from './store-marks.ts';

/** Maximum number (`max`) of pictures that a member may upload within `seconds`. */
const SENT = { max: 60, seconds: 3_600 };

/** Mounts the upload of links' pictures and the URLs that serve them. */
export function mountLinkPictures(server: Server, db: Db, { url }: Pick<Sender, 'url'>): void {
  takePictures(server, {
    path: STORE_LINK_PICTURE_PATH,
    async admit(request) {
      const context = await server.admit(request, routes.storeLinkPictureRemove);
      requirePermission(context.principal?.grants ?? [], 'invoices.manage', asResource({ id: storeOf(request) }));
      await context.limit(`link picture by ${userOf(context).id}`, SENT);
      return context;
    },
    store: async (bytes, _context, request) =>
      linkView(db, await setPicture(db, { store: storeOf(request), id: linkOf(request) }, bytes), url),
  });

  server.app.get(`${API_PREFIX}${STORE_LINK_PICTURES_PATH}/:key`, async (request, reply) => {
    const picture = await readPicture(db, (request.params as { key: string }).key);
    if (!picture) return server.fail(request, reply, new Problem('not_found'));
    return sendPicture(reply, picture, { name: 'picture', caches: 'public' });
  });
}

/** Returns the id of the link in a request's path. Throws `link_unknown` if it is no id. */
function linkOf(request: FastifyRequest): string {
  const { link } = request.params as { link: string };
  if (!wire.id.safeParse(link).success) throw new Problem('link_unknown');
  return link;
}
