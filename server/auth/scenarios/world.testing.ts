// Test environment of this room. Makes the room's calls as a browser does, on a test database.

import assert from 'node:assert/strict';
import { queuedLetters } from '../../deliveries/testing.ts';
import { linkGoogle } from '../google/google-store.ts';
import { after, before, beforeEach } from 'node:test';
import { Problem, type ProblemCode } from '@kurs/contract';
import { type Context, type Counted, type Db } from '../../platform/index.ts';
import { testDb, testSealer } from '../../platform/testing.ts';
import { emailKey } from '../accounts/holder.ts';
import { defineCodePurpose } from '../factors/codes.ts';
import type { Obstacle } from '../accounts/leaving.ts';
import type { AuthDeps } from '../sign-in/room.ts';
import { authRoutes } from '../routes.ts';
import { whoIs } from '../sign-in/sign-in.ts';
import { claimsOf, testGoogle, tokenOf } from '../google/google.testing.ts';

/** Purpose of codes that a higher room would define. */
defineCodePurpose('money_out');

/** Test environment that the tests of a file share. */
export interface AuthWorld {
  db: Db;
  deps: AuthDeps;
  handlers: Handlers;
  /** Obstacle to closing that all accounts have; undefined if accounts have no obstacle. */
  left: Obstacle | undefined;
  /**
   * Data recorded since the test began: bot tokens (`bot`), the required work of bot checks (`pressures`), and keys of counted
   * events. Also changed e-mail addresses, and addresses of sign-ins.
   */
  requested: {
    bot: (string | undefined)[];
    pressures: number[];
    counted: string[];
    moved: { from: string; to: string }[];
    signedIn: string[];
  };
}

/** Creates the test environment for a test file. Each test begins without accounts. */
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
      'api_key',
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
    world.requested = { bot: [], counted: [], moved: [], pressures: [], signedIn: [] };
    world.deps = {
      db: world.db,
      mode: 'sandbox',
      name: 'Kurs',
      sealer: testSealer,
      proveBot: async (token, { pressure }) => {
        world.requested.bot.push(token);
        if (pressure) world.requested.pressures.push(Number(pressure.numerator) / Number(pressure.denominator));
        if (token === undefined) throw new Problem('bot_check_required');
        if (token === 'none') throw new Problem('bot_check_failed');
        return async () => undefined;
      },
      levelOf: async () => 1,
      signedUp: async () => undefined,
      signedIn: async (_tx, email) => void world.requested.signedIn.push(email),
      whatIsLeft: async () => world.left,
      moveCustomer: async (_tx, addresses) => void world.requested.moved.push(addresses),
      google: testGoogle.provider,
    };
    world.handlers = keepingHandles(authRoutes(world.deps));
  });
  return world;
}

type Given = Omit<ReturnType<typeof authRoutes>, 'signUpConfirm' | 'forgotPasswordConfirm'>;
type Confirm<W extends 'signUpConfirm' | 'forgotPasswordConfirm'> = (
  input: Omit<Parameters<ReturnType<typeof authRoutes>[W]>[0], 'handle'> & { handle?: string },
  context: Context,
) => ReturnType<ReturnType<typeof authRoutes>[W]>;
type Handlers = Given & { signUpConfirm: Confirm<'signUpConfirm'>; forgotPasswordConfirm: Confirm<'forgotPasswordConfirm'> };

type CodeRequested = Awaited<ReturnType<ReturnType<typeof authRoutes>['signUpGetOtp']>>;

/** Returns handlers that add the handle of the last requested code to each call, as a browser does. */
function keepingHandles(handlers: ReturnType<typeof authRoutes>): Handlers {
  const cached = new Map<string, string>();
  const mailing =
    <I extends { email: string }>(purpose: string, ask: (input: I, context: Context) => Promise<CodeRequested>) =>
    async (input: I, context: Context): Promise<CodeRequested> => {
      const answer = await ask(input, context);
      cached.set(`${purpose} ${emailKey(input.email)}`, answer.handle);
      return answer;
    };
  const handleOf = (purpose: string, email: string): string => cached.get(`${purpose} ${emailKey(email)}`) ?? 'none';
  return {
    ...handlers,
    signUpGetOtp: mailing('sign_up', handlers.signUpGetOtp),
    forgotPasswordGetOtp: mailing('reset', handlers.forgotPasswordGetOtp),
    signUpConfirm: async (input, context) =>
      handlers.signUpConfirm({ handle: handleOf('sign_up', input.email), ...input }, context),
    forgotPasswordConfirm: async (input, context) =>
      handlers.forgotPasswordConfirm({ handle: handleOf('reset', input.email), ...input }, context),
  };
}

function noted(world: AuthWorld, key: string): Counted {
  world.requested.counted.push(key);
  return { undo: () => undefined };
}

/**
 * Returns the context of a browser's call. Counted events are recorded in `requested`. Such events are never refused, unless
 * `more` has the limits of `counting`.
 */
export function contextOf(world: AuthWorld, more: Partial<Context> = {}): Context {
  return {
    db: world.db,
    locale: 'en',
    clientId: 'web',
    ip: '203.0.113.7',
    deviceKey: 'd',
    userAgent: 'Some browser',
    limit: async (key) => noted(world, key),
    limitNetwork: async (key) => noted(world, `network ${key}`),
    limitDevice: async (key) => noted(world, `device ${key}`),
    ...more,
  };
}

/** Returns the account holder and the session of a session token, for step-ups. */
export async function confirmingWith(world: AuthWorld, token: string): Promise<{ id: string; sessionId: string }> {
  const found = await whoIs(world.db, token);
  assert.ok(found, 'the token opens nothing');
  return { id: found.holder.id, sessionId: found.session.id };
}

export { counting } from '../../platform/testing.ts';

/** Returns the context of a call by the account holder of a session token. */
export async function userWith(world: AuthWorld, token: string, more: Partial<Context> = {}): Promise<Context> {
  const found = await whoIs(world.db, token);
  assert.ok(found, 'the token opens nothing');
  return contextOf(world, {
    user: { id: found.holder.id, email: found.holder.email, isEmailVerified: true, sessionId: found.session.id },
    ...more,
  });
}

/** Returns a check for `assert.rejects`: true for a problem with this code. */
export const refused = (code: ProblemCode) => (error: unknown) => error instanceof Problem && error.code === code;

/** Returns a check for `assert.rejects`: true for a problem with this code at this field. */
export const wrongAt = (field: string, code: string) => (error: unknown) =>
  error instanceof Problem && (error.details.errors?.[field] as { code?: string } | undefined)?.code === code;

/** Returns all letters that were queued. */
export const lettersOf = ({ db }: AuthWorld) => queuedLetters(db);

/** Returns the cells of tables as text, one a line: bytes as Latin-1, all others as JSON. */
export async function readAll({ db }: AuthWorld, ...tables: readonly string[]): Promise<string> {
  const found = await Promise.all(tables.map((table) => db.rows<Record<string, unknown>>(`select * from ${table}`)));
  const cells = found.flat().flatMap((row) => Object.values(row));
  return cells.map((cell) => (Buffer.isBuffer(cell) ? cell.toString('latin1') : JSON.stringify(cell))).join('\n');
}

/** Returns the one-time code in the newest letter. */
export const newestCode = async (world: AuthWorld): Promise<string> =>
  /^\d{6}$/m.exec((await lettersOf(world)).at(-1)?.text ?? '')?.[0] as string;

/** Begins a sign-in with the simulated Google. Returns a token with the nonce of the sign-in, and the nonce's key. */
export async function googleShows(
  world: AuthWorld,
  email: string,
  more: Readonly<Record<string, unknown>> = {},
): Promise<{ token_id: string; nonce_key: string }> {
  const { nonce, nonce_key } = await world.handlers.googleNonce({}, contextOf(world));
  return { token_id: tokenOf(claimsOf(email, nonce, more)), nonce_key };
}

/** Links a token's Google account to the account with this e-mail address, without any proof. */
export async function linkedBy({ db }: AuthWorld, email: string, { token_id }: { token_id: string }): Promise<void> {
  const { iss, sub } = JSON.parse(Buffer.from(token_id.split('.')[1] ?? '', 'base64url').toString()) as Record<string, string>;
  const row = await db.row<{ id: string }>('select id from account_holder where email = $1', [email]);
  await db.tx((tx) => linkGoogle(tx, row?.id ?? '', { issuer: iss ?? '', subject: sub ?? '' }));
}
