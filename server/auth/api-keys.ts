// Keys of account holders: made, listed and revoked by them, and shown by their programs with each call.

import { randomBytes } from 'node:crypto';
import { isIP } from 'node:net';
import { type Input, type Output, type Routes, fieldProblem } from '@kurs/contract';
import { MARKED, type MarkedRow, isHolderAsKept } from './accounts/holder-mac.ts';
import {
  type ApiKey,
  type Db,
  type Mode,
  type Statements,
  type Tx,
  isMac,
  macOf,
  newId,
  secretHash,
  secretHashes,
  steady,
} from '../platform/index.ts';

/** Keys that an account holder has at once, at most. */
const MOST_KEYS = 20;
/** Milliseconds after which a key in use is noted as used again. */
const USED_EVERY_MS = 60_000;
const DAY_MS = 86_400_000;
/** Characters of a key that its holder knows it by: what every key begins with, and four of its own. */
const HINT = 'kurs_live_'.length + 4;
const WORDS = { live: 'live', sandbox: 'test' } as const satisfies Record<Mode, string>;
const FORM = /^kurs_(live|test)_[\w-]{43}$/;

type Asked = Pick<Input<Routes['apiKeyMake']>, 'name' | 'scopes' | 'networks' | 'days'>;
type Shown = Output<Routes['apiKeys']>[number];

/**
 * Makes a key. Gives the key itself, which is shown this once, and the row that is stored. Throws `validation` where its
 * holder has too many.
 */
export async function makeApiKey(
  tx: Tx,
  { holderId, mode }: { readonly holderId: string; readonly mode: Mode },
  { name, scopes, networks, days }: Asked,
): Promise<Output<Routes['apiKeyMake']>> {
  // One after another, so that they are counted.
  await tx.row('select from account_holder where id = $1 for no key update', [holderId]);
  if ((await keysOf(tx, holderId)).length >= MOST_KEYS) throw fieldProblem('name', 'keys_too_many', { most: String(MOST_KEYS) });
  const key = `kurs_${WORDS[mode]}_${randomBytes(32).toString('base64url')}`;
  const id = newId();
  const row = await tx.row<MarkedKey>(
    `insert into api_key as k (id, holder_id, name, token_hash, hint, scopes, networks, created_at, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9) returning ${MARKED_KEY}`,
    [
      ...[id, holderId, name, secretHash('API key', key), key.slice(0, HINT), [...new Set(scopes)], networks],
      ...[tx.now, new Date(tx.now.getTime() + days * DAY_MS)],
    ],
  );
  if (row) await tx.run('update api_key set mac = $2 where id = $1', [id, keyMac(row)]);
  const made = (await keysOf(tx, holderId)).find((one) => one.id === id);
  if (!made) throw new Error('a key that was made is not there');
  return { ...made, key };
}

/** What a key's MAC covers: whose it is, what it opens, from where and until when. */
interface MarkedKey {
  readonly keyId: string;
  readonly keyHolder: string;
  readonly keyHash: Buffer;
  readonly permissions: readonly string[];
  readonly from: readonly string[];
  readonly madeAt: Date;
  readonly expiresAt: Date;
  readonly on: ApiKey['on'] | null;
}

const MARKED_KEY = `k.id as "keyId", k.holder_id as "keyHolder", k.token_hash as "keyHash", k.scopes as permissions,
  k.networks::text[] as from, k.created_at as "madeAt", k.expires_at as "expiresAt",
  case when k.resource_kind is not null then jsonb_build_object('kind', k.resource_kind, 'id', k.resource_id) end as on`;

function contentOf({ keyId, keyHolder, keyHash, permissions, from, madeAt, expiresAt, on }: MarkedKey): string {
  return steady([keyId, keyHolder, keyHash.toString('hex'), permissions, from, madeAt, expiresAt, on]);
}

/** The MAC of a key that was made. One that was revoked has none. */
const keyMac = (row: MarkedKey): string => macOf('api key', contentOf(row));

/** Gives all keys their MACs as they stand. For tests, which write rows by SQL. */
export async function keepApiKeys(db: Statements): Promise<void> {
  for (const row of await db.rows<MarkedKey>(`select ${MARKED_KEY} from api_key k where k.revoked_at is null`))
    await db.run('update api_key set mac = $2 where id = $1', [row.keyId, keyMac(row)]);
}

interface Row {
  readonly id: string;
  readonly name: string;
  readonly hint: string;
  readonly scopes: Shown['scopes'];
  readonly networks: string[];
  readonly created_at: Date;
  readonly expires_at: Date;
  readonly used_at: Date | null;
  readonly used_from: string | null;
}

/** An account holder's keys that open something, newest first. */
export async function keysOf(db: Statements, holderId: string): Promise<Shown[]> {
  const rows = await db.rows<Row>(
    `select id, name, hint, scopes, array(select abbrev(network) from unnest(networks) network) as networks, created_at, expires_at,
       used_at, host(used_from) as used_from
     from api_key where holder_id = $1 and revoked_at is null and expires_at > clock_now() order by created_at desc, id`,
    [holderId],
  );
  return rows.map(({ created_at, expires_at, used_at, used_from, ...row }) => ({
    ...row,
    created_at: created_at.toISOString(),
    expires_at: expires_at.toISOString(),
    ...(used_at && { used_at: used_at.toISOString() }),
    ...(used_from !== null && { used_from }),
  }));
}

/** The keys of an account holder that open something, as letters name them: by what they are called and how they begin. */
export const namedKeys = async (db: Statements, holderId: string): Promise<string[]> =>
  (await keysOf(db, holderId)).map(({ name, hint }) => `${name} (${hint}…)`);

/** Revokes a key of an account holder; false where they have none of this id that stands. */
export async function revokeApiKey(db: Statements, holderId: string, id: string): Promise<boolean> {
  const gone = await db.run(
    'update api_key set revoked_at = clock_now(), mac = null where holder_id = $1 and id = $2 and revoked_at is null and expires_at > clock_now()',
    [holderId, id],
  );
  return gone === 1;
}

/** Revokes all keys of an account holder. */
export async function revokeAllKeys(tx: Tx, holderId: string): Promise<void> {
  await tx.run('update api_key set revoked_at = $2, mac = null where holder_id = $1 and revoked_at is null', [holderId, tx.now]);
}

interface Found extends MarkedRow, MarkedKey {
  readonly keyMac: string | null;
  readonly usedAt: Date | null;
  readonly now: Date;
}

/**
 * Whose key it is; undefined for none, one of another mode, one that was revoked or has expired, one that is shown from outside
 * its networks, and one whose row, or whose account's row, was changed past the product. Notes, once a minute, when and from where it was used.
 */
export async function whoseKey(db: Db, key: string, { mode, ip }: { mode: Mode; ip: string }): Promise<ApiKey | undefined> {
  if (FORM.exec(key)?.[1] !== WORDS[mode]) return undefined;
  const from = addressOf(ip);
  const found = await db.row<Found>(
    `select ${MARKED}, ${MARKED_KEY}, k.mac as "keyMac", k.used_at as "usedAt", clock_now() as now
     from api_key k join account_holder h on h.id = k.holder_id
     where k.token_hash = any ($1) and k.revoked_at is null and k.expires_at > clock_now() and h.closed_at is null
       and (cardinality(k.networks) = 0 or $2::inet <<= any (k.networks))`,
    [secretHashes('API key', key), from],
    { name: 'auth.api_key' },
  );
  if (!found || !isMac('api key', contentOf(found), found.keyMac) || !isHolderAsKept(found)) return undefined;
  const { keyId: id, permissions, on, usedAt, now } = found;
  const holder = { id: found.id, email: found.email, emailVerified: found.emailVerifiedAt !== null };
  if (usedAt === null || now.getTime() - usedAt.getTime() >= USED_EVERY_MS)
    await db.run('update api_key set used_at = $2, used_from = $3 where id = $1', [id, now, from], { name: 'auth.key_used' });
  return { id, permissions, holder, ...(on && { on }) };
}

/** A caller's address as the database takes it: an IPv4 address within IPv6 as itself; null for what is no address. */
function addressOf(ip: string): string | null {
  const plain = ip.replace(/^::ffff:(?=\d+\.)/i, '').split('%')[0] ?? '';
  return isIP(plain) === 0 ? null : plain;
}
