// API keys. Account holders create, list and revoke keys; their programs send a key with each call.

import { randomBytes } from 'node:crypto';
import { isIP } from 'node:net';
import { type Input, type Output, type Routes, fieldProblem } from '@kurs/contract';
import { MARKED, type MarkedRow, isHolderAsStored } from './accounts/holder-mac.ts';
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

/** Maximum number of valid API keys of an account holder. */
const MAX_KEYS = 20;
/** Minimum time between two updates of a key's last use, in ms. */
const USED_EVERY_MS = 60_000;
const DAY_MS = 86_400_000;
/** Length of the visible beginning of a key, by which its holder recognizes the key: the prefix and four characters. */
const HINT = 'kurs_live_'.length + 4;
const WORDS = { live: 'live', sandbox: 'test' } as const satisfies Record<Mode, string>;
const FORM = /^kurs_(live|test)_[\w-]{43}$/;

type ApiKeyRequest = Pick<Input<Routes['apiKeyMake']>, 'name' | 'scopes' | 'networks' | 'days'>;
type ApiKeySummary = Output<Routes['apiKeys']>[number];

/**
 * Creates an API key. Returns its data and the key itself, which is shown only this once. Throws `validation` if the holder has
 * too many keys.
 */
export async function makeApiKey(
  tx: Tx,
  { holderId, mode }: { readonly holderId: string; readonly mode: Mode },
  { name, scopes, networks, days }: ApiKeyRequest,
): Promise<Output<Routes['apiKeyMake']>> {
  // Makes concurrent calls of one holder wait, so that the number of keys doesn't exceed the maximum.
  await tx.row('select from account_holder where id = $1 for no key update', [holderId]);
  if ((await keysOf(tx, holderId)).length >= MAX_KEYS) throw fieldProblem('name', 'keys_too_many', { max: String(MAX_KEYS) });
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

/** The columns that the MAC of an API key covers: id, holder, hash, permissions, networks, times and resource. */
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

/** Returns the MAC of an API key. A revoked key has no MAC. */
const keyMac = (row: MarkedKey): string => macOf('api key', contentOf(row));

/** Recomputes the MACs of all API keys. Only for tests, which write rows by SQL. */
export async function writeApiKeyMacs(db: Statements): Promise<void> {
  for (const row of await db.rows<MarkedKey>(`select ${MARKED_KEY} from api_key k where k.revoked_at is null`))
    await db.run('update api_key set mac = $2 where id = $1', [row.keyId, keyMac(row)]);
}

interface ApiKeyRow {
  readonly id: string;
  readonly name: string;
  readonly hint: string;
  readonly scopes: ApiKeySummary['scopes'];
  readonly networks: string[];
  readonly created_at: Date;
  readonly expires_at: Date;
  readonly used_at: Date | null;
  readonly used_from: string | null;
}

/** Returns the account holder's valid API keys, newest first. */
export async function keysOf(db: Statements, holderId: string): Promise<ApiKeySummary[]> {
  const rows = await db.rows<ApiKeyRow>(
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

/**
 * Returns the account holder's valid API keys in the form in which letters name them: the name and the beginning of the key.
 */
export const namedKeys = async (db: Statements, holderId: string): Promise<string[]> =>
  (await keysOf(db, holderId)).map(({ name, hint }) => `${name} (${hint}…)`);

/** Revokes an API key of an account holder. Returns false if the holder has no valid key with this id. */
export async function revokeApiKey(db: Statements, holderId: string, id: string): Promise<boolean> {
  const gone = await db.run(
    'update api_key set revoked_at = clock_now(), mac = null where holder_id = $1 and id = $2 and revoked_at is null and expires_at > clock_now()',
    [holderId, id],
  );
  return gone === 1;
}

/** Revokes all API keys of an account holder. */
export async function revokeAllKeys(tx: Tx, holderId: string): Promise<void> {
  await tx.run('update api_key set revoked_at = $2, mac = null where holder_id = $1 and revoked_at is null', [holderId, tx.now]);
}

interface Found extends MarkedRow, MarkedKey {
  readonly keyMac: string | null;
  readonly usedAt: Date | null;
  readonly now: Date;
}

/**
 * Returns the holder and the permissions of an API key. Undefined if the key is unknown, of another mode, revoked or expired,
 * or if the call comes from outside the key's networks. Also undefined if the row of the key or of its account was changed
 * outside the product. Stores the time and network address of the key's use, at most once a minute.
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
  if (!found || !isMac('api key', contentOf(found), found.keyMac) || !isHolderAsStored(found)) return undefined;
  const { keyId: id, permissions, on, usedAt, now } = found;
  const holder = { id: found.id, email: found.email, isEmailVerified: found.emailVerifiedAt !== null };
  if (usedAt === null || now.getTime() - usedAt.getTime() >= USED_EVERY_MS)
    await db.run('update api_key set used_at = $2, used_from = $3 where id = $1', [id, now, from], { name: 'auth.key_used' });
  return { id, permissions, holder, ...(on && { on }) };
}

/**
 * Returns a caller's IP address in a form that PostgreSQL's `inet` accepts, with an IPv4-mapped IPv6 address as IPv4. Null if
 * the text is no IP address.
 */
function addressOf(ip: string): string | null {
  const plain = ip.replace(/^::ffff:(?=\d+\.)/i, '').split('%')[0] ?? '';
  return isIP(plain) === 0 ? null : plain;
}
