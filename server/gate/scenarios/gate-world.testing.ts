// A desk with prices and a payment gate for tests. Its calls go over HTTP, so that each is checked as in the product.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { type Output, type Routes, type StoreRole, routes, say, takesBody } from '@kurs/contract';
import { grantRole, grantsOf, whoIs, whoseKey } from '../../auth/index.ts';
import { keepOpeners, newHolder } from '../../auth/testing.ts';
import {
  API_PREFIX,
  type Db,
  type Mode,
  type Server,
  buildServer,
  configureLog,
  newId,
  secretHash,
  watchSettings,
} from '../../platform/index.ts';
import { definePurpose } from '../../payments/index.ts';
import { testSealer } from '../../platform/testing.ts';
import { type PricedWorld, openPricedWorld } from '../../pricing/testing.ts';
import { approvedFor, SENDER } from '../businesses/businesses.testing.ts';
import { gateCheck } from '../check-books.ts';
import { invoiceCheck } from '../proof/check-invoices.ts';
import '../invoice-owner.ts';
import { gateRoutes } from '../routes.ts';
import { seedStoreRoles } from '../stores/roles.ts';
import type { StoreKind } from '../stores/store.ts';

/** Purpose of a higher room, for which the rails take payments. */
definePurpose('deposits');

/** An account holder with a session. */
export interface Person {
  readonly id: string;
  readonly email: string;
  /** Token of the session, or an API key. */
  readonly bearer: string;
}

/** Answer of a call: `ok` or the code of the problem, the data, and the words about wrong fields. */
export interface Answer<Data> {
  readonly code: string;
  readonly data: Data;
  readonly fields: Readonly<Record<string, string>>;
  /** Rest of the caller's calls in this minute. */
  readonly left: number;
}

type GateCall = keyof ReturnType<typeof gateRoutes> & keyof Routes;

export interface GateWorld {
  readonly db: Db;
  readonly prices: PricedWorld;
  /** Opens an account with a verified address and a new session. `ageMinutes`: age of the session. */
  person(ageMinutes?: number): Promise<Person>;
  /** Makes a store, of an approved business if its kind needs one. Returns its id. */
  store(owner: Person, kind?: StoreKind): Promise<string>;
  /** Adds a new account holder to a store. */
  member(store: string, role: StoreRole): Promise<Person>;
  call<N extends GateCall>(
    name: N,
    input: Readonly<Record<string, unknown>>,
    by: { readonly bearer: string; readonly idempotencyKey?: string } | undefined,
    mode?: Mode,
  ): Promise<Answer<Output<Routes[N]>>>;
  /** Runs SQL that no application can run: it changes final rows and breaks references. */
  tamper(...statements: readonly string[]): Promise<void>;
  /** Returns the rows that the check of the gate accuses. */
  accused(): Promise<string[]>;
  close(): Promise<void>;
}

/** Opens a desk in a fresh database. */
export async function openGateWorld(): Promise<GateWorld> {
  configureLog({ sink: () => undefined });
  const prices = await openPricedWorld();
  const { db, owner } = prices;
  const settings = await watchSettings(db);
  await db.tx(seedStoreRoles);
  await prices.rates();
  const servers = { sandbox: serverOf(db, 'sandbox'), live: serverOf(db, 'live') };
  const world: GateWorld = {
    ...{ db, prices },
    person: async (ageMinutes = 0) => personOf(db, await newHolder(db), ageMinutes),
    async store(by, kind = 'test') {
      if (kind === 'business' && (await db.row('select from business where holder_id = $1', [by.id])) === undefined)
        await approvedFor(db, by.id);
      const { code, data, fields } = await world.call('storeMake', { ...NEW_STORE, kind }, by);
      assert.equal(code, 'ok', JSON.stringify(fields));
      return data.id;
    },
    async member(store, role) {
      const person = await world.person();
      await db.tx((tx) => grantRole(tx, { holderId: person.id, on: { kind: 'store', id: store }, role, by: 'test' }));
      return person;
    },
    call: (name, input, by, mode = 'sandbox') => call(servers[mode], name, input, by),
    tamper: (...statements) =>
      owner.tx(async (tx) => {
        await tx.run('set local session_replication_role = replica');
        for (const statement of statements) await tx.run(statement);
      }),
    accused: async () => {
      const faults = [...((await gateCheck.faults?.(db)) ?? []), ...((await invoiceCheck.faults?.(db)) ?? [])];
      return faults.flatMap(({ account }) => account ?? []);
    },
    async close() {
      for (const server of Object.values(servers)) await server.close();
      await settings.stop();
      await prices.close();
    },
  };
  return world;
}

/** Returns the words about a wrong field. */
export const fieldWords = (code: string, params: Readonly<Record<string, string>> = {}): string =>
  say('en', `fields.${code}`, params) ?? assert.fail(code);

/** Fields of a new store, without its kind. */
export const NEW_STORE = { name: 'Maps & more', invoice_currency: 'USD', settlement_currency: 'BTC' } as const;

async function personOf(db: Db, id: string, ageMinutes: number): Promise<Person> {
  const bearer = `kurs_s_${randomBytes(32).toString('base64url')}`;
  await db.run(
    `insert into session (id, holder_id, token_hash, device, ip, created_at, seen_at)
     values ($1, $2, $3, 'x', '127.0.0.1', clock_now() - $4 * interval '1 minute', clock_now())`,
    [newId(), id, secretHash('session', bearer), ageMinutes],
  );
  await keepOpeners(db);
  return { id, email: `${id}@example.org`, bearer };
}

function serverOf(db: Db, mode: Mode): Server {
  const server = buildServer({
    config: { KURS_MODE: mode, KURS_CLIENTS: ['web'], KURS_STRICT_LIMITS: true, TRUST_PROXY: [] },
    db,
    sealer: testSealer,
    authenticate: {
      grants: (holderId, kind) => grantsOf(db, holderId, kind),
      key: (key, ip) => whoseKey(db, key, { mode, ip }),
      async user(bearer) {
        const found = await whoIs(db, bearer);
        return found && { id: found.holder.id, email: found.holder.email, isEmailVerified: true, sessionId: found.session.id };
      },
    },
  });
  const sender = { ...SENDER, tokens: undefined as never };
  for (const [name, work] of Object.entries(
    gateRoutes({ db, sender, mode, sealer: testSealer, webhooks: testSealer, privateOrigin: '' }),
  ))
    server.mount(routes[name as GateCall], work as never);
  return server;
}

async function call<N extends GateCall>(
  server: Server,
  name: N,
  { store, ...rest }: Readonly<Record<string, unknown>>,
  by: { readonly bearer: string; readonly idempotencyKey?: string } | undefined,
): Promise<Answer<Output<Routes[N]>>> {
  const { method, path } = routes[name];
  const hasBody = takesBody({ method });
  const answer = await server.app.inject({
    method,
    url: API_PREFIX + path.replace(':store', String(store)),
    ...(hasBody ? { payload: rest } : { query: rest as Record<string, string> }),
    headers: {
      ...(by && { authorization: `Bearer ${by.bearer}` }),
      ...(by?.idempotencyKey && { 'idempotency-key': by.idempotencyKey }),
    },
  });
  const body =
    answer.payload === '' ? {} : (answer.json() as { code?: string; data?: unknown; errors?: Record<string, string[]> });
  const fields = Object.entries(body.errors ?? {}).map(([field, words]) => [field, words.join()] as const);
  return {
    code: answer.statusCode < 300 ? 'ok' : (body.code ?? String(answer.statusCode)),
    data: body.data as Output<Routes[N]>,
    fields: Object.fromEntries(fields),
    left: Number(answer.headers['ratelimit-remaining']),
  };
}
