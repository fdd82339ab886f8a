// Export of an account for its holder: one JSON file, streamed, behind a one-use link.

import { Readable } from 'node:stream';
import { ACCOUNT_EXPORT_PATH, type Output, Problem, type Routes, routes } from '@kurs/contract';
import { rewardRows } from '../affiliates/index.ts';
import { accountRecord } from '../auth/index.ts';
import { drawRows } from '../earn/index.ts';
import { orderRows, ordersAmong, ownerOf } from '../exchange/index.ts';
import {
  API_PREFIX,
  type Cell,
  type Context,
  type Db,
  type Server,
  TICKET_MS,
  openTickets,
  userOf,
  withMore,
} from '../platform/index.ts';
import { businessRecords, storeInvoiceRows, storeMoves, storeRecords } from '../gate/index.ts';
import { campaignsOf } from '../referrals/index.ts';
import { messageRows } from '../support/index.ts';
import { operationRows } from '../wallets/index.ts';
import type { SignedInUsers } from './signed-in.ts';

/** Maximum number (`max`) of exports that one account holder may begin within `seconds`. */
const BEGUN = { max: 10, seconds: 3_600 };

type Rows = AsyncIterable<readonly (readonly Cell[])[]>;

/** Serves the export, and issues the one-use links for it. A link becomes invalid when the session that requested it ends. */
export function mountAccountExport(server: Server, db: Db, users: Pick<SignedInUsers, 'bySession'>): void {
  const tickets = openTickets<null>(db, 'account');

  server.mount(routes.userExportTicket, async (_input, context) => {
    await context.limit(`account export ${userOf(context).id}`, BEGUN);
    const ticket = await tickets.issue({ sessionId: userOf(context).sessionId, wanted: null });
    return { url: `${API_PREFIX}${ACCOUNT_EXPORT_PATH}?ticket=${ticket}`, expires_in: TICKET_MS / 1_000 };
  });

  server.app.get(API_PREFIX + ACCOUNT_EXPORT_PATH, async (request, reply) => {
    try {
      const { ticket } = request.query as { ticket?: unknown };
      const isHead = request.method === 'HEAD';
      const found = typeof ticket === 'string' ? await tickets[isHead ? 'peek' : 'take'](ticket) : undefined;
      const user = found && (await users.bySession(found.sessionId));
      if (!user) throw new Problem('unauthorised');
      const context = withMore(server.contextOf(request, { clientId: 'public', locale: 'en' }), { user });
      const account = await server.call(routes.userInfo, {}, context);
      reply.headers({
        'content-type': 'application/json; charset=utf-8',
        'content-disposition': 'attachment; filename="account.json"',
        'cache-control': 'no-store',
      });
      return reply.send(Readable.from(isHead ? [] : fileOf(server, db, context, account), { objectMode: false }));
    } catch (error) {
      return server.fail(request, reply, error);
    }
  });
}

/** Yields the file in pieces, so that long lists are never in memory as a whole. */
async function* fileOf(server: Server, db: Db, context: Context, account: unknown): AsyncGenerator<string> {
  const { id } = userOf(context);
  const made = (await db.now()).toISOString();
  const { sign_in, sessions, api_keys, notices } = await accountRecord(db, id);
  const { draws: _, ...prizes } = (await server.call(routes.earnOwn, {}, context)) as Output<Routes['earnOwn']>;
  const few = {
    made_at: made,
    account,
    sign_in,
    sessions,
    api_keys,
    notices,
    businesses: await businessRecords(db, id),
    stores: await storeRecords(db, id),
    campaigns: await campaignsOf(db, id),
    wallets: await server.call(routes.wallets, {}, context),
    discounts: await server.call(routes.userDiscounts, {}, context),
    prizes,
  };
  yield JSON.stringify(few, undefined, 1).slice(0, -2);
  yield* listOf('orders', orderRows(db, ownerOf(context), {}));
  yield* listOf('operations', operationRows({ db, sources: [ordersAmong, storeMoves] }, id, {}));
  yield* listOf('invoices', storeInvoiceRows(db, id));
  yield* listOf('rewards', rewardRows(db, id));
  yield* listOf('draws', drawRows(db, id));
  yield* listOf('messages', messageRows(db, ownerOf(context).mailbox));
  yield '\n}\n';
}

/** Yields rows as a JSON list of objects, without empty fields. The first of `rows` has the names of the fields. */
async function* listOf(name: string, rows: Rows): AsyncGenerator<string> {
  yield `,\n "${name}": [`;
  let names: string[] | undefined;
  let mark = '\n  ';
  for await (const group of rows) {
    let piece = '';
    for (const row of group) {
      const texts = row.map((cell) => (typeof cell === 'string' ? cell : cell.amount));
      if (!names) {
        names = texts;
        continue;
      }
      const heads = names;
      const filled = texts.map((text, at) => [heads[at] ?? '', text] as const).filter(([, text]) => text !== '');
      piece += mark + JSON.stringify(Object.fromEntries(filled));
      mark = ',\n  ';
    }
    if (piece !== '') yield piece;
  }
  yield '\n ]';
}
