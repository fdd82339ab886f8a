// Serves files of tickets to anyone with the ticket's secret: always as downloads, whatever their type.

import { Problem, TICKET_FILE_PATH, frameAncestors, oneLine, routes } from '@kurs/contract';
import type { Sender } from '../../exchange/index.ts';
import { API_PREFIX, type Db, type Server } from '../../platform/index.ts';
import { fileOfTicket } from '../../support/index.ts';

const READ = { max: 300, seconds: 3_600 };

/** Serves the files of tickets. */
export function mountSupportFiles(server: Server, db: Db, sender: Sender): void {
  server.app.get(API_PREFIX + TICKET_FILE_PATH, async (request, reply) => {
    const { id, token, n } = request.query as { id?: unknown; token?: unknown; n?: unknown };
    const requested = routes.ticketRead.input.safeParse({ id, token });
    if (!requested.success || typeof n !== 'string' || !/^[1-9]\d{0,3}$/.test(n))
      return server.fail(request, reply, new Problem('ticket_not_found'));
    const file = await fileOfTicket({ db, sender }, { ...requested.data, n: Number.parseInt(n, 10) });
    await server.contextOf(request).limit(`files of ticket ${requested.data.id}`, READ);
    return reply
      .headers({
        'content-type': file.type,
        'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(oneLine(file.name)).replace(/[()']/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`)}`,
        'content-security-policy': `default-src 'none'; sandbox; ${frameAncestors()}`,
        'cross-origin-resource-policy': 'same-origin',
        'cache-control': 'no-store',
      })
      .send(file.bytes);
  });
}
