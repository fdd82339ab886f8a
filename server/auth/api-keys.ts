// API keys. Account holders create, list and revoke keys; their programs send a key with each call. A key may be bound to one
// resource, such as a store: then its members do so, and the key belongs to the owner of the resource.

import { randomBytes } from 'node:crypto';
import { isIP } from 'node:net';
import { type Input, type Output, type Routes, type Scope, fieldProblem } from '@kurs/contract';
import { MARKED, type MarkedRow, isHolderAsStored } from './accounts/holder-mac.ts';
import {
  type ApiKey,
  type Db,
  type Mode,
  type Resource,
  type Statements,
  type Tx,
  idsOfAltered,
  isMac,
  macOf,
  newId,
  secretHash,
  secretHashes,
  steady,
} from '../platform/index.ts';

/** Maximum number of valid API keys of an account holder, and of a resource. */
const MAX_KEYS = 20;
/** Minimum time between two updates of a key's last use, in ms. */
const USED_EVERY_MS = 60_000;
const DAY_MS = 86_400_000;
/** Length of the visible beginning of a key, by which its holder recognizes the key: the prefix and four characters. */
const HINT = 'kurs_live_'.length + 4;
const WORDS = { live: 'live', sandbox: 'test' } as const satisfies Record<Mode, string>;
const FORM = /^kurs_(live|test)_[\w-]{43}$/;
/** Days before the end of a resource's key on which its members are notified by letter; 0: after the end. In this order. */
export const REMINDED_DAYS = [0, 1, 7, 30] as const;

/** The owner of a new API key. */
interface KeyOwner {
  /** Account holder whose key it is: for a resource's key, the owner of the resource. */
  readonly holderId: string;
  readonly mode: Mode;
  /** The one resource that the key is for, which the caller has locked, and the member who makes it. */
  readonly bound?: { readonly on: Resource; readonly madeBy: string; readonly isTest: boolean };
}

type KeyRequest = Pick<Input<Routes['apiKeyMake']>, 'name' | 'networks' | 'days'> & { readonly scopes: readonly Scope[] };
type ApiKeySummary = Output<Routes['apiKeys']>[number];

/** A valid API key, as lists show it. */
export interface ListedKey extends Omit<ApiKeySummary, 'scopes'> {
  readonly scopes: readonly string[];
  /** Id of the member who made it; undefined for a key of an account. */
  readonly madeBy: string | undefined;
  readonly isTest: boolean;
}

/**
 * Creates an API key. Returns its data and the key itself, which is shown only this once. Throws `validation` if the holder, or
 * the resource, has too many keys.
 */
export async function makeApiKey(
  tx: Tx,
  { holderId, mode, bound }: KeyOwner,
  { name, scopes, networks, days }: KeyRequest,
): Promise<ListedKey & { readonly key: string }> {
  // Makes concurrent calls of one holder wait, so that the number of keys doesn't exceed the maximum. A resource is locked already.
  if (!bound) await tx.row('select from account_holder where id = $1 for no key update', [holderId]);
  const listed = () => (bound ? keysOn(tx, bound.on) : keysOf(tx, holderId));
  if ((await listed()).length >= MAX_KEYS) throw fieldProblem('name', 'keys_too_many', { max: String(MAX_KEYS) });
  const key = `kurs_${bound?.isTest ? 'test' : WORDS[mode]}_${randomBytes(32).toString('base64url')}`;
  const id = newId();
  const row = await tx.row<MarkedKey>(
    `insert into api_key as k (id, holder_id, name, token_hash, hint, scopes, networks, created_at, expires_at,
       resource_kind, resource_id, made_by, is_test, reminded_days)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14) returning ${MARKED_KEY}`,
    [
      ...[id, holderId, name, secretHash('API key', key), key.slice(0, HINT), [...new Set(scopes)], networks],
      ...[tx.now, new Date(tx.now.getTime() + days * DAY_MS)],
      ...[bound?.on.kind ?? null, bound?.on.id ?? null, bound?.madeBy ?? null, bound?.isTest ?? false],
      // A key for a week is not announced to end in a week.
      bound ? (REMINDED_DAYS.find((one) => one >= days) ?? null) : null,
    ],
  );
  if (row) await tx.run('update api_key set mac = $2 where id = $1', [id, keyMac(row)]);
  const made = (await listed()).find((one) => one.id === id);
  if (!made) throw new Error('a key that was made is not there');
  return { ...made, key };
}

/** The columns that the MAC of an API key covers: id, holder, hash, permissions, networks, times, resource and its maker. */
interface MarkedKey {
  readonly keyId: string;
  readonly keyHolder: string;
  readonly keyHash: Buffer;
  readonly permissions: readonly string[];
  readonly from: readonly string[];
  readonly madeAt: Date;
  readonly expiresAt: Date;
  readonly on: ApiKey['on'] | null;
  readonly madeBy: string | null;
  readonly isTest: boolean;
}

const MARKED_KEY = `k.id as "keyId", k.holder_id as "keyHolder", k.token_hash as "keyHash", k.scopes as permissions,
  k.networks::text[] as from, k.created_at as "madeAt", k.expires_at as "expiresAt", k.made_by as "madeBy", k.is_test as "isTest",
  case when k.resource_kind is not null then jsonb_build_object('kind', k.resource_kind, 'id', k.resource_id) end as on`;

function contentOf(row: MarkedKey): string {
  const { keyId, keyHolder, keyHash, permissions, from, madeAt, expiresAt, on, madeBy, isTest } = row;
  const own = [keyId, keyHolder, keyHash.toString('hex'), permissions, from, madeAt, expiresAt, on];
  // Keys of accounts keep the MACs that they had before keys of resources existed.
  return steady(madeBy !== null || isTest ? [...own, madeBy, isTest] : own);
}

/** Returns the MAC of an API key. A revoked key has no MAC. */
const keyMac = (row: MarkedKey): string => macOf('api key', contentOf(row));

/** Recomputes the MACs of all API keys. Only for tests, which write rows by SQL. */
export async function writeApiKeyMacs(db: Statements): Promise<void> {
  for (const row of await db.rows<MarkedKey>(`select ${MARKED_KEY} from api_key k where k.revoked_at is null`))
    await db.run('update api_key set mac = $2 where id = $1', [row.keyId, keyMac(row)]);
}

/** Returns the ids of the API keys on resources of a kind whose rows were changed by SQL. */
export const alteredKeysOn = (db: Statements, kind: string): Promise<string[]> =>
  idsOfAltered(
    (behind, max) =>
      db.rows<MarkedKey & { readonly id: string; readonly mac: string | null }>(
        `select k.id, k.mac, ${MARKED_KEY} from api_key k
         where k.resource_kind = $1 and k.revoked_at is null and ($2::uuid is null or k.id > $2) order by k.id limit $3`,
        [kind, behind ?? null, max],
      ),
    (row) => isMac('api key', contentOf(row), row.mac),
  );

interface ApiKeyRow {
  readonly id: string;
  readonly name: string;
  readonly hint: string;
  readonly scopes: readonly string[];
  readonly networks: string[];
  readonly created_at: Date;
  readonly expires_at: Date;
  readonly used_at: Date | null;
  readonly used_from: string | null;
  readonly made_by: string | null;
  readonly is_test: boolean;
}

/** SQL: the keys of an account; those of resources belong to the resources. */
const OF_ACCOUNT = 'holder_id = $1 and resource_kind is null';

/** Returns the valid API keys that a condition names, newest first. */
async function listKeys(db: Statements, condition: string, values: readonly unknown[]): Promise<ListedKey[]> {
  const rows = await db.rows<ApiKeyRow>(
    `select id, name, hint, scopes, array(select abbrev(network) from unnest(networks) network) as networks, created_at, expires_at,
       used_at, host(used_from) as used_from, made_by, is_test
     from api_key where ${condition} and revoked_at is null and expires_at > clock_now() order by created_at desc, id`,
    values,
  );
  return rows.map(({ created_at, expires_at, used_at, used_from, made_by, is_test, ...row }) => ({
    ...row,
    created_at: created_at.toISOString(),
    expires_at: expires_at.toISOString(),
    ...(used_at && { used_at: used_at.toISOString() }),
    ...(used_from !== null && { used_from }),
    ...{ madeBy: made_by ?? undefined, isTest: is_test },
  }));
}

/** Returns the account holder's valid API keys, newest first, without those of resources. */
export const keysOf = (db: Statements, holderId: string): Promise<ListedKey[]> => listKeys(db, OF_ACCOUNT, [holderId]);

/** Returns the valid API keys of a resource, newest first. */
export const keysOn = (db: Statements, { kind, id }: Resource): Promise<ListedKey[]> =>
  listKeys(db, 'resource_kind = $1 and resource_id = $2', [kind, id]);

/**
 * Returns the account holder's valid API keys in the form in which letters name them: the name and the beginning of the key.
 */
export const namedKeys = async (db: Statements, holderId: string): Promise<string[]> =>
  (await keysOf(db, holderId)).map(nameOfKey);

/** Returns the valid API keys that an account holder made for resources, in the form in which letters name them. */
export const namedKeysMadeBy = async (db: Statements, holderId: string): Promise<string[]> =>
  (await listKeys(db, 'made_by = $1', [holderId])).map(nameOfKey);

/** Returns the name and the beginning of an API key, as letters show it. */
export const nameOfKey = ({ name, hint }: Pick<ListedKey, 'name' | 'hint'>): string => `${name} (${hint}…)`;

const REVOKE = `update api_key set revoked_at = clock_now(), mac = null where revoked_at is null`;

/** Revokes an API key of an account holder. Returns false if the holder has no valid key with this id. */
export async function revokeApiKey(db: Statements, holderId: string, id: string): Promise<boolean> {
  return (await db.run(`${REVOKE} and expires_at > clock_now() and ${OF_ACCOUNT} and id = $2`, [holderId, id])) === 1;
}

/** Revokes all API keys of an account holder. Keys of resources stay valid. */
export async function revokeAllKeys(tx: Tx, holderId: string): Promise<void> {
  await tx.run(`${REVOKE} and ${OF_ACCOUNT}`, [holderId]);
}

/** API keys of a resource to revoke: all, or those with these ids, or those of them that one member made. */
interface KeysOnResource {
  readonly ids?: readonly string[];
  readonly madeBy?: string;
}

/** Revokes API keys of a resource. Returns their number. */
export const revokeKeysOn = (db: Statements, { kind, id }: Resource, { ids, madeBy }: KeysOnResource = {}): Promise<number> =>
  db.run(
    `${REVOKE} and expires_at > clock_now() and resource_kind = $1 and resource_id = $2 and ($3::uuid[] is null or id = any ($3))
       and ($4::uuid is null or made_by = $4)`,
    [kind, id, ids ?? null, madeBy ?? null],
  );

/** An API key of a resource that ends soon or has ended, and is due for a letter. */
export interface EndingKey {
  readonly id: string;
  readonly name: string;
  readonly hint: string;
  readonly on: Resource;
  readonly madeBy: string | undefined;
  readonly expiresAt: Date;
  /** The notification that is due: days before the end; 0 after it. */
  readonly days: number;
}

/** SQL: the latest notification that is due. $2: the days, in increasing order. */
const DUE_DAYS = `(select min(days) from unnest($2::int[]) as days where k.expires_at <= $3::timestamptz + days * interval '1 day')`;

/**
 * Returns keys on resources of a kind of which somebody has to be notified, and stores that they were. Each notification is due
 * once; after a downtime only the latest one. Keys whose rows were changed by SQL are left out.
 */
export async function takeEndingKeys(tx: Tx, kind: string, max: number): Promise<EndingKey[]> {
  const rows = await tx.rows<MarkedKey & { name: string; hint: string; mac: string | null; days: number }>(
    `select ${MARKED_KEY}, k.name, k.hint, k.mac, ${DUE_DAYS} as days from api_key k
     where k.resource_kind = $1 and k.revoked_at is null and ${DUE_DAYS} < coalesce(k.reminded_days, 1000)
     order by k.expires_at, k.id limit $4 for update skip locked`,
    [kind, REMINDED_DAYS, tx.now, max],
  );
  await tx.run(
    'update api_key set reminded_days = given.days from unnest($1::uuid[], $2::int[]) as given (id, days) where api_key.id = given.id',
    [rows.map(({ keyId }) => keyId), rows.map(({ days }) => days)],
  );
  return rows.flatMap(({ mac, ...row }) => {
    const { keyId: id, name, hint, on, madeBy, expiresAt, days } = row;
    if (!on || !isMac('api key', contentOf(row), mac)) return [];
    return [{ id, name, hint, on, madeBy: madeBy ?? undefined, expiresAt, days }];
  });
}

interface Found extends MarkedRow, MarkedKey {
  readonly keyMac: string | null;
  readonly usedAt: Date | null;
  readonly now: Date;
}

/**
 * Returns the holder and the permissions of an API key. Undefined if the key is unknown, of another mode, revoked or expired,
 * or if the call comes from outside the key's networks. Live mode accepts a test key only for a test resource. Also undefined if
 * the row of the key or of its account was changed outside the product. Stores the time and network address of the key's use, at
 * most once a minute.
 */
export async function whoseKey(db: Db, key: string, { mode, ip }: { mode: Mode; ip: string }): Promise<ApiKey | undefined> {
  const word = FORM.exec(key)?.[1];
  if (word === undefined || (mode === 'sandbox' && word !== WORDS[mode])) return undefined;
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
  if (mode === 'live' && found.isTest !== (word === 'test')) return undefined;
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
