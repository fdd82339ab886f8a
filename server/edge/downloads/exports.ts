// Downloads of files that are streamed row by row, with a session or with a one-use link for browsers.

import { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { EXPORTS, type Input, Problem, type Routes, oneLine, routes } from '@kurs/contract';
import { orderRows, ordersAmong, ownerOf } from '../../exchange/index.ts';
import { storeMoves } from '../../gate/index.ts';
import {
  API_PREFIX,
  type Cell,
  type Context,
  type Db,
  type Server,
  TICKET_MS,
  type User,
  XLSX_TYPE,
  csvOf,
  inputOfQuery,
  openTickets,
  userOf,
  validationProblem,
  xlsx,
} from '../../platform/index.ts';
import { statisticsRows } from '../../referrals/index.ts';
import { operationRows } from '../../wallets/index.ts';
import type { SignedInUsers } from '../../accounts/index.ts';

/** Maximum number (`max`) of downloads that an account holder may begin within `seconds`. */
const EXPORTS_BEGUN = { max: 60, seconds: 3_600 };

type Rows = AsyncIterable<readonly (readonly Cell[])[]>;
type TicketRoute = Routes['orderExportTicket' | 'transactionExportTicket' | 'affiliateExportTicket'];

/** A kind of file that can be downloaded. */
interface Download<R extends TicketRoute> {
  readonly ticket: R;
  readonly path: string;
  readonly name: string;
  /** Widths of the columns, in characters. */
  readonly widths: readonly number[];
  /** Returns the rows of the signed-in caller that match the filter. */
  readonly rows: (context: Pick<Context, 'user'>, filter: Input<R>) => Rows;
}

/** A request for a file of one account holder. */
interface Wanted {
  readonly rows: () => Rows;
  readonly format: 'csv' | 'xlsx';
}

/** Serves the exports of orders, operations and affiliate statistics, and issues the one-use links for them. */
export function mountExports(server: Server, db: Db, users: Pick<SignedInUsers, 'bySession'>): void {
  mount({ server, db, users }, {
    ticket: routes.orderExportTicket,
    path: EXPORTS.orders.path,
    name: 'orders',
    widths: [16, 9, 11, 25, 25, 18, 14, 18, 14, 44, 28, 44],
    rows: (context, filter) => orderRows(db, ownerOf(context), filter),
  } satisfies Download<Routes['orderExportTicket']>);
  const deps = { db, sources: [ordersAmong, storeMoves] };
  mount({ server, db, users }, {
    ticket: routes.transactionExportTicket,
    path: EXPORTS.transactions.path,
    name: 'transactions',
    widths: [40, 16, 18, 11, 25, 14, 20, 20, 14, 12, 16, 14, 44, 30, 44, 30],
    rows: (context, filter) => operationRows(deps, userOf(context).id, filter),
  } satisfies Download<Routes['transactionExportTicket']>);
  mount({ server, db, users }, {
    ticket: routes.affiliateExportTicket,
    path: EXPORTS.statistics.path,
    name: 'affiliate-statistics',
    widths: [12, 32, 10, 10, 10, 16, 16],
    rows: (context, filter) => statisticsRows(db, userOf(context).id, filter),
  } satisfies Download<Routes['affiliateExportTicket']>);
}

function mount<R extends TicketRoute>(
  { server, db, users }: { readonly server: Server; readonly db: Db; readonly users: Pick<SignedInUsers, 'bySession'> },
  { ticket: route, path, name, widths, rows }: Download<R>,
): void {
  const tickets = openTickets<Input<R>>(db, name);
  const wantedBy = (user: User, input: Input<R>): Wanted => ({ rows: () => rows({ user }, input), format: input.format });

  server.mount(route, (async (input: Input<R>, context: Context) => {
    await count(userOf(context), context);
    const ticket = await tickets.issue({ sessionId: userOf(context).sessionId, wanted: input });
    return { url: `${API_PREFIX}${path}?ticket=${ticket}`, expires_in: TICKET_MS / 1_000 };
  }) as never);

  const wanted = async (request: FastifyRequest): Promise<Wanted> => {
    const { ticket } = request.query as { ticket?: unknown };
    if (typeof ticket === 'string') {
      const found = await tickets[isHead(request) ? 'peek' : 'take'](ticket);
      const holder = found && (await users.bySession(found.sessionId));
      if (!holder) throw new Problem('unauthorised');
      return wantedBy(holder, found.wanted);
    }
    const context = await server.admit(request, route, { clientId: 'public', locale: 'en' });
    const user = userOf(context);
    if (!isHead(request)) await count(user, context);
    const raw = inputOfQuery(request.query as Record<string, string | string[]>);
    const input = route.input.safeParse(raw);
    if (!input.success) throw validationProblem(input.error, raw);
    return wantedBy(user, input.data as Input<R>);
  };

  server.app.get(API_PREFIX + path, async (request, reply) => {
    try {
      const { format, rows: begin } = await wanted(request);
      reply.headers(headersOf(`${name}.${format}`));
      if (isHead(request)) return reply.send(Readable.from([]));
      const file = format === 'csv' ? csvOf(shown(begin())) : xlsx(name, shown(begin()), widths);
      return reply.send(Readable.from(file, { objectMode: false }));
    } catch (error) {
      return server.fail(request, reply, error);
    }
  });
}

/** True for a HEAD request. Then no rows are read, no one-use link is used up, and the length is unknown. */
const isHead = ({ method }: FastifyRequest): boolean => method === 'HEAD';

/**
 * Yields rows with each text cleaned to one plain line. Texts are cleaned when they are stored, but texts in old rows were not.
 */
async function* shown(rows: AsyncIterable<readonly (readonly Cell[])[]>): AsyncGenerator<readonly (readonly Cell[])[]> {
  for await (const group of rows)
    yield group.map((cells) => cells.map((cell) => (typeof cell === 'string' ? oneLine(cell) : cell)));
}

async function count({ id }: User, { limit }: Pick<Context, 'limit'>): Promise<void> {
  await limit(`export ${id}`, EXPORTS_BEGUN);
}

const headersOf = (file: string): Readonly<Record<string, string>> => ({
  'content-type': file.endsWith('.csv') ? 'text/csv; charset=utf-8' : XLSX_TYPE,
  'content-disposition': `attachment; filename="${file}"`,
  'cache-control': 'no-store',
});
