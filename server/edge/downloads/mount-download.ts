// A download: a file that is streamed row by row, with a session or with a one-use link for browsers.

import { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { type Input, Problem, type Routes, oneLine } from '@kurs/contract';
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
import type { SignedInUsers } from '../../accounts/index.ts';

/** Maximum number (`max`) of downloads that an account holder may begin within `seconds`. */
const EXPORTS_BEGUN = { max: 60, seconds: 3_600 };

type Rows = AsyncIterable<readonly (readonly Cell[])[]>;
type TicketRoute = Routes[
  | 'orderExportTicket'
  | 'transactionExportTicket'
  | 'affiliateExportTicket'
  | 'storeEntryExportTicket'
  | 'storeInvoiceExportTicket'
  | 'storePaymentExportTicket'
  | 'storeRefundExportTicket'];

/** A kind of file that can be downloaded. */
export interface Download<R extends TicketRoute> {
  readonly ticket: R;
  readonly path: string;
  readonly name: string;
  /** Widths of the columns, in characters. */
  readonly widths: readonly number[];
  /** Throws `forbidden` if the account holder may not read what the filter names. Checked again when a download begins. */
  readonly check?: (user: User, filter: Input<R>) => Promise<void>;
  /** Returns the rows of the signed-in caller that match the filter. */
  readonly rows: (context: Pick<Context, 'user'>, filter: Input<R>) => Rows;
}

/** Dependencies of downloads. */
export interface DownloadDeps {
  readonly server: Server;
  readonly db: Db;
  readonly users: Pick<SignedInUsers, 'bySession'>;
}

/** A request for a file of one account holder. */
interface Wanted {
  readonly rows: () => Rows;
  readonly format: 'csv' | 'xlsx';
}

/** Serves the file of a download, and issues the one-use links for it. */
export function mountDownload<R extends TicketRoute>(
  { server, db, users }: DownloadDeps,
  { ticket: route, path, name, widths, rows, check }: Download<R>,
): void {
  const tickets = openTickets<Input<R>>(db, name);
  const wantedBy = async (user: User, input: Input<R>): Promise<Wanted> => {
    await check?.(user, input);
    return { rows: () => rows({ user }, input), format: input.format };
  };

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
