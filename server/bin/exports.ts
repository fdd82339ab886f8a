// Downloads: files that are streamed row by row, by a session or by a one-use link for browsers.

import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ORDER_EXPORT_PATH, Problem, routes } from '@kurs/contract';
import { type OwnFilter, type Owner, orderCsv, ownerOf } from '../exchange/index.ts';
import {
  API_PREFIX,
  type Context,
  type Db,
  type Server,
  TICKET_MS,
  type User,
  inputOfQuery,
  monotonicMs,
  openTickets,
  validationProblem,
} from '../platform/index.ts';

/** How often an account holder may begin a download. */
const EXPORTS = { most: 60, seconds: 3_600 };

interface Wanted {
  readonly owner: Owner;
  readonly filter: OwnFilter;
}

/** Serves the export of orders, and the tickets for it. `known`: whose session a token is. */
export function mountExports(server: Server, db: Db, known: (bearer: string) => Promise<User | undefined>): void {
  const tickets = openTickets<Wanted>(monotonicMs);

  server.mount(routes.orderExportTicket, async (input, context) => {
    count(context);
    const { format: _, ...filter } = input;
    const ticket = tickets.issue({ owner: ownerOf(context), filter });
    return { url: `${API_PREFIX}${ORDER_EXPORT_PATH}?ticket=${ticket}`, expires_in: TICKET_MS / 1_000 };
  });

  const wanted = async (request: FastifyRequest): Promise<Wanted> => {
    const { ticket } = request.query as { ticket?: unknown };
    if (typeof ticket === 'string') {
      const found = tickets.take(ticket);
      if (!found) throw new Problem('unauthorised');
      return found;
    }
    const context = server.contextOf(request, { clientId: 'public', locale: 'en' });
    const user = context.bearer === undefined ? undefined : await known(context.bearer);
    if (!user) throw new Problem('unauthorised');
    count({ user, limit: context.limit });
    const raw = inputOfQuery(request.query as Record<string, string | string[]>);
    const input = routes.orderExportTicket.input.safeParse(raw);
    if (!input.success) throw validationProblem(input.error, raw);
    return { owner: ownerOf({ user }), filter: input.data };
  };

  server.app.get(API_PREFIX + ORDER_EXPORT_PATH, async (request, reply) => {
    try {
      const { owner, filter } = await wanted(request);
      return sendCsv(reply, orderCsv(db, owner, filter));
    } catch (error) {
      return server.fail(request, reply, error);
    }
  });
}

function count({ user, limit }: Pick<Context, 'user' | 'limit'>): void {
  limit(`export ${user?.id ?? ''}`, EXPORTS);
}

function sendCsv(reply: FastifyReply, lines: AsyncIterable<string>): FastifyReply {
  return reply
    .headers({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="orders.csv"',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    })
    .send(Readable.from(lines, { objectMode: false }));
}
