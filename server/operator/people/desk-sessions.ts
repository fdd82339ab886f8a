// Sessions of the desk's people, begun by a key and an authenticator's code. With real money the authenticator is required.

import { randomBytes } from 'node:crypto';
import { Problem, type Routes } from '@kurs/contract';
import {
  hashOfRecovery,
  hashesOfRecovery,
  looksLikeRecovery,
  newRecoveryCodes,
  newSecret,
  otpauthUrl,
  stepOfCode,
  writtenSecret,
} from '../../auth/index.ts';
import {
  type Context,
  type Db,
  type Mode,
  type Sealer,
  type Statements,
  type Tx,
  type Work,
  newId,
  secretHash,
  secretHashes,
  createLimiter,
  wallClock,
} from '../../platform/index.ts';
import { authenticate, fingerprintOf } from './people.ts';
import type { Person } from './roles.ts';
import { addDeskSession, keyHolder, lockPerson, noteFactor, personBySession, recordAction } from './store.ts';

const HOURS = 12;
/** Limit of a person's wrong codes. The database stores the number of wrong codes. */
const TRIES = { max: 5, seconds: 900 };
/** Second limit of a person's wrong codes, counted in this process: the number in the database could be reset by SQL. */
const HERE = { max: 50, seconds: 3_600 };
const triedHere = createLimiter();
const SESSION = 'kurs_os_';

/** Dependencies of the session calls. */
export interface DeskSessions {
  readonly db: Db;
  readonly mode: Mode;
  /** The desk's name, for the authenticator. */
  readonly name: string;
  /** Encrypts and decrypts the secrets of authenticators. */
  readonly sealer: Sealer;
}

/**
 * Returns the person of a bearer token, which is a session's token or a key; undefined for any other text. With real money, a key
 * only allows its person to begin a session.
 */
export async function whoActs(db: Statements, bearer: string, mode: Mode): Promise<Person | undefined> {
  if (bearer.startsWith(SESSION)) return personBySession(db, secretHashes('desk session', bearer));
  const person = await authenticate(db, bearer);
  if (!person || mode !== 'live') return person;
  return { ...person, permissions: person.permissions.filter((one) => one === 'session.begin') };
}

type DeskSessionCall = 'deskFactorBegin' | 'deskFactorEnable' | 'deskSignIn' | 'deskSignOut';

/** Returns the handlers of the calls about sessions, by their names in the contract. */
export function deskSessionRoutes(deps: DeskSessions): { [N in DeskSessionCall]: Work<Routes[N]> } {
  const { db, name, sealer } = deps;
  return {
    async deskFactorBegin(_input, context) {
      const person = personOf(context);
      const secret = await db.tx((tx) => beginFactor(tx, sealer, person));
      return { secret: writtenSecret(secret), otpauth_url: otpauthUrl(secret, { issuer: `${name} desk`, account: person.name }) };
    },
    async deskFactorEnable({ code }, context) {
      const person = personOf(context);
      await spendCode(db, sealer, person, { code, isWaiting: true });
      return db.tx(async (tx) => {
        await note(tx, person, 'second_factor');
        return { recovery_codes: await makeRecoveryCodes(tx, person) };
      });
    },
    deskSignIn: ({ code }, context) => signIn(deps, personOf(context), { code, key: context.bearer ?? '', ip: context.ip }),
    async deskSignOut(_input, context) {
      const person = personOf(context);
      await db.tx(async (tx) => {
        await tx.run('delete from operator_session where operator_id = $1', [person.id]);
        await note(tx, person, 'sign_out');
      });
    },
  };
}

function personOf({ operator }: Context): Person {
  if (!operator) throw new Problem('unauthorised');
  return operator as Person;
}

const note = (tx: Tx, { name }: Person, action: string): Promise<void> =>
  recordAction(tx, { id: newId(), by: name, action, subject: name, reason: 'their own session', outcome: 'done', body: {} });

/**
 * Creates the secret of a new authenticator, which is switched on by its first code. Throws `two_factor_on` if an authenticator
 * is set up.
 */
async function beginFactor(tx: Tx, sealer: Sealer, { id }: Person): Promise<Buffer> {
  const secret = newSecret();
  const made = await tx.run(
    `insert into operator_factor (operator_id, secret, made_at) values ($1, $2, $3)
     on conflict (operator_id) do update set secret = excluded.secret, made_at = excluded.made_at, last_step = 0
     where operator_factor.enabled_at is null`,
    [id, sealer.seal(secret, rowOf(id)), tx.now],
  );
  if (made === 0) throw new Problem('two_factor_on');
  return secret;
}

/** Creates recovery codes, which are shown only this once. */
async function makeRecoveryCodes(tx: Tx, { id }: Person): Promise<string[]> {
  const codes = newRecoveryCodes();
  await tx.run('insert into operator_recovery_code (operator_id, code_hash) select $1, unnest($2::bytea[])', [
    id,
    codes.map((code) => hashOfRecovery(id, code)),
  ]);
  return codes;
}

interface Factor {
  readonly secret: Buffer;
  readonly last_step: string;
  readonly is_locked: boolean;
}

/**
 * Uses up a code of the authenticator or a recovery code. The first code of a new secret switches the authenticator on. A wrong
 * code is counted in a transaction that commits although the call is refused. A code that was already used, for example by a
 * duplicate request, is refused but not counted. Throws `two_factor_off`, `two_factor_wrong`, and `rate_limited` after five wrong
 * codes.
 */
async function spendCode(
  db: Db,
  sealer: Sealer,
  { id }: Person,
  { code, isWaiting }: { readonly code: string; readonly isWaiting: boolean },
): Promise<void> {
  const refused = await db.tx(async (tx): Promise<Problem | undefined> => {
    if (isWaiting) await lockPerson(tx, id);
    const row = await tx.row<Factor>(
      `select secret, last_step::text as last_step,
         tries >= $3 and tried_since > clock_now() - $4 * interval '1 second' as is_locked
       from operator_factor where operator_id = $1 and (enabled_at is null) = $2 for no key update`,
      [id, isWaiting, TRIES.max, TRIES.seconds],
    );
    if (!row) return new Problem('two_factor_off');
    // Only checks the limit. The row is locked, so no other call counts a wrong code until this transaction ends.
    void triedHere.take(id, HERE).undo();
    if (row.is_locked) return new Problem('rate_limited', { retryAfter: TRIES.seconds, max: TRIES.max });
    if (!isWaiting && looksLikeRecovery(code)) return spendRecoveryCode(tx, id, code);
    const [secret, at] = [sealer.open(row.secret, rowOf(id)), wallClock()];
    const step = stepOfCode(secret, code, { at, after: Number.parseInt(row.last_step, 10) });
    if (step === undefined) {
      if (stepOfCode(secret, code, { at, after: 0 }) === undefined) await countWrong(tx, id);
      return new Problem('two_factor_wrong');
    }
    if (isWaiting) await noteFactor(tx, id, tx.now);
    await tx.run(
      'update operator_factor set last_step = $2, tries = 0, enabled_at = coalesce(enabled_at, $3) where operator_id = $1',
      [id, step, tx.now],
    );
    return undefined;
  });
  if (refused) throw refused;
}

async function spendRecoveryCode(tx: Tx, id: string, code: string): Promise<Problem | undefined> {
  const { good, used: usedForms } = hashesOfRecovery(id, code);
  const spent = await tx.run(
    `update operator_recovery_code set used_at = $3, code_hash = $4
     where operator_id = $1 and code_hash = any ($2) and used_at is null`,
    [id, good, tx.now, usedForms[0]],
  );
  if (spent > 0) return undefined;
  const used = await tx.row('select from operator_recovery_code where operator_id = $1 and code_hash = any ($2)', [
    id,
    [...good, ...usedForms],
  ]);
  if (!used) await countWrong(tx, id);
  return new Problem('two_factor_wrong');
}

/**
 * Context that is bound to an authenticator's encrypted secret, so that the secret can't be decrypted in another person's row.
 */
const rowOf = (id: string): string[] => ['operator_factor', id];

async function countWrong(tx: Tx, id: string): Promise<void> {
  triedHere.take(id, HERE);
  const isRunning = `tried_since > $2::timestamptz - $3 * interval '1 second'`;
  await tx.run(
    `update operator_factor set tries = case when ${isRunning} then tries + 1 else 1 end,
       tried_since = case when ${isRunning} then tried_since else $2 end
     where operator_id = $1`,
    [id, tx.now, TRIES.seconds],
  );
}

/**
 * Begins a session and returns its token, which is shown only this once. Reads the key and the authenticator's state again within
 * the transaction, since either may have changed.
 */
async function signIn(
  { db, mode, sealer }: DeskSessions,
  person: Person,
  { code, key, ip }: { readonly code: string | undefined; readonly key: string; readonly ip: string },
): Promise<{ token: string; expires_at: string }> {
  const isOn = await db.row('select from operator_factor where operator_id = $1 and enabled_at is not null', [person.id]);
  if (!isOn && mode === 'live') throw new Problem('two_factor_off');
  if (isOn && code === undefined) throw new Problem('two_factor_required');
  if (isOn && code !== undefined) await spendCode(db, sealer, person, { code, isWaiting: false });
  const token = `${SESSION}${randomBytes(32).toString('base64url')}`;
  return db.tx(async (tx) => {
    const holder = await keyHolder(tx, person.id, fingerprintOf(key));
    if (!holder || holder.hasFactor !== (isOn !== undefined)) throw new Problem('unauthorised');
    const expires = new Date(tx.now.getTime() + HOURS * 3_600_000);
    await tx.run('delete from operator_session where expires_at <= $1', [tx.now]);
    const session = { id: newId(), personId: person.id, createdAt: tx.now, expiresAt: expires };
    await addDeskSession(tx, { ...session, hash: secretHash('desk session', token) }, addressOf(ip));
    await note(tx, person, 'sign_in');
    return { token, expires_at: expires.toISOString() };
  });
}

/** Verifies a code of a person's authenticator, or a recovery code, within a session. Throws the problems of a sign-in. */
export const stepUp = ({ db, sealer }: Pick<DeskSessions, 'db' | 'sealer'>, person: Person, code: string): Promise<void> =>
  spendCode(db, sealer, person, { code, isWaiting: false });

/** Returns a caller's address for PostgreSQL's `inet`; null if there is none. */
const addressOf = (ip: string): string | null => ip.split('%')[0] || null;
