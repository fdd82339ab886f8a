// The room's calls over a database of their own, as a browser makes them. For tests only.

import assert from 'node:assert/strict';
import { after, before, beforeEach } from 'node:test';
import { Problem, type ProblemCode } from '@kurs/contract';
import { type Context, type Db, type Limit, createLimiter } from '../platform/index.ts';
import { testDb, testSealer } from '../platform/testing.ts';
import type { Obstacle } from './leaving.ts';
import type { AuthDeps } from './room.ts';
import { authRoutes } from './routes.ts';
import { whoIs } from './sign-in.ts';
import { claimsOf, testGoogle, tokenOf } from './google.testing.ts';

/** What a file of tests shares. */
export interface AuthWorld {
  db: Db;
  deps: AuthDeps;
  works: ReturnType<typeof authRoutes>;
  /** What is left in every account. */
  left: Obstacle | undefined;
  /** The bot tokens that were checked, the keys of what was counted, and whose address moved, since the test began. */
  asked: { bot: (string | undefined)[]; counted: string[]; moved: { from: string; to: string }[] };
}

/** Opens the room for a file of tests; each test begins without anybody. */
export function authWorld(): AuthWorld {
  const world = {} as AuthWorld;
  let drop: () => Promise<void>;
  before(async () => {
    const opened = await testDb();
    world.db = opened.db;
    drop = opened.drop;
  });
  after(() => drop());
  beforeEach(async () => {
    for (const table of [
      'session',
      'one_time_code',
      'second_factor',
      'google_nonce',
      'avatar',
      'account_notice',
      'account_holder',
      'mail',
    ])
      await world.db.run(`delete from ${table}`);
    world.left = undefined;
    world.asked = { bot: [], counted: [], moved: [] };
    world.deps = {
      db: world.db,
      name: 'Kurs',
      sealer: testSealer,
      proveBot: async (token) => {
        world.asked.bot.push(token);
        if (token === undefined) throw new Problem('bot_check_required');
        if (token === 'none') throw new Problem('bot_check_failed');
        return async () => undefined;
      },
      levelOf: async () => 1,
      whatIsLeft: async () => world.left,
      moveCustomer: async (_tx, addresses) => void world.asked.moved.push(addresses),
      google: testGoogle.provider,
    };
    world.works = authRoutes(world.deps);
  });
  return world;
}

/** A browser's context, whose limits are counted but don't hold unless it is made with `counting`. */
export function contextOf(world: AuthWorld, more: Partial<Context> = {}): Context {
  return {
    db: world.db,
    locale: 'en',
    clientId: 'web',
    ip: '203.0.113.7',
    deviceKey: 'd',
    userAgent: 'Some browser',
    limit: (key) => void world.asked.counted.push(key),
    limitNetwork: (key) => void world.asked.counted.push(`network ${key}`),
    ...more,
  };
}

/** Who confirms something by a token. */
export async function confirmingWith(world: AuthWorld, token: string): Promise<{ id: string; sessionId: string }> {
  const found = await whoIs(world.db, token);
  assert.ok(found, 'the token opens nothing');
  return { id: found.holder.id, sessionId: found.session.id };
}

/** Limits that hold, for networks too. */
export function counting(): Pick<Context, 'limit' | 'limitNetwork'> {
  const limiter = createLimiter();
  return {
    limit: (key: string, limit: Limit) => void limiter.take(key, limit),
    limitNetwork: (key: string, limit: Limit) => void limiter.take(`network ${key}`, limit),
  };
}

/** The context of whoever holds a token. */
export async function userWith(world: AuthWorld, token: string, more: Partial<Context> = {}): Promise<Context> {
  const found = await whoIs(world.db, token);
  assert.ok(found, 'the token opens nothing');
  return contextOf(world, {
    user: { id: found.holder.id, email: found.holder.email, emailVerified: true, sessionId: found.session.id },
    ...more,
  });
}

/** Whether an error is that problem, for `assert.rejects`. */
export const refused = (code: ProblemCode) => (error: unknown) => error instanceof Problem && error.code === code;

/** Whether an error is that problem of a field, for `assert.rejects`. */
export const wrongAt = (field: string, code: string) => (error: unknown) =>
  error instanceof Problem && (error.details.errors?.[field] as { code?: string } | undefined)?.code === code;

/** The letters so far. */
export const lettersOf = ({ db }: AuthWorld) =>
  db.rows<{ recipient: string; subject: string; text: string }>('select recipient, subject, text from mail order by id');

/** All that stands in a table, as text: bytes letter by letter, since as JSON they would be numbers. */
export async function readAll({ db }: AuthWorld, ...tables: readonly string[]): Promise<string> {
  const found = await Promise.all(tables.map((table) => db.rows<Record<string, unknown>>(`select * from ${table}`)));
  const cells = found.flat().flatMap((row) => Object.values(row));
  return cells.map((cell) => (Buffer.isBuffer(cell) ? cell.toString('latin1') : JSON.stringify(cell))).join('\n');
}

/** The code of the newest letter. */
export const newestCode = async (world: AuthWorld): Promise<string> =>
  /^\d{6}$/m.exec((await lettersOf(world)).at(-1)?.text ?? '')?.[0] as string;

/** A sign-in that has begun: a token for the room's own nonce, and the key to it. */
export async function googleShows(
  world: AuthWorld,
  email: string,
  more: Readonly<Record<string, unknown>> = {},
): Promise<{ token_id: string; nonce_key: string }> {
  const { nonce, nonce_key } = await world.works.googleNonce({}, contextOf(world));
  return { token_id: tokenOf(claimsOf(email, nonce, more)), nonce_key };
}

/** Links the Google account of a token to the account of an address, whatever that would take. */
export async function linkedBy({ db }: AuthWorld, email: string, { token_id }: { token_id: string }): Promise<void> {
  const { iss, sub } = JSON.parse(Buffer.from(token_id.split('.')[1] ?? '', 'base64url').toString()) as Record<string, string>;
  await db.run(
    `insert into google_account (issuer, subject, holder_id, linked_at) select $1, $2, id, now() from account_holder where email = $3`,
    [iss, sub, email],
  );
}
