// The roles over the product's database, and the addresses by which its processes use them.
//
// owner       owns the database and migrates it; nothing else is done as it
// kurs_app    what the api and the worker are: writes rows; it can't empty or alter a table, nor change what is final
// kurs_signer what the signer is: reads payouts
//
// What each may do is written by the database's own give_rights().

import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import pg from 'pg';
import { type Config, ConfigError, secret } from '../platform/index.ts';

/** Where the product's processes connect, and where its owner does. */
export interface DatabaseAddresses {
  readonly ownerUrl: string;
  readonly url: string;
  readonly signerUrl: string;
}

const ROLES = ['kurs_app', 'kurs_signer'] as const;
type Role = (typeof ROLES)[number];

/** The password of a role, as it lies in the folder of keys. */
export const passwordOf = (folder: string, role: Role): string =>
  secret(folder, role === 'kurs_app' ? 'database.password' : 'signer-database.password');

/**
 * What PostgreSQL keeps of a password (RFC 5803, SCRAM-SHA-256), so that the password itself is never sent, logged or shown. It
 * opens nothing where the password has 256 random bits.
 */
export function verifierOf(password: string, salt = randomBytes(16)): string {
  const rounds = 4096;
  const salted = pbkdf2Sync(password, salt, rounds, 32, 'sha256');
  const hmac = (text: string): Buffer => createHmac('sha256', salted).update(text).digest();
  const stored = createHash('sha256').update(hmac('Client Key')).digest('base64');
  return `SCRAM-SHA-256$${rounds}:${salt.toString('base64')}$${stored}:${hmac('Server Key').toString('base64')}`;
}

/** Runs statements at an address on one connection. */
export async function on<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, application_name: 'kurs-roles', connectionTimeoutMillis: 10_000 });
  client.on('error', () => {});
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

const verbFor = async (client: pg.Client, role: string): Promise<'alter' | 'create'> =>
  (await client.query('select from pg_roles where rolname = $1', [role])).rowCount ? 'alter' : 'create';

const loginOf = (verb: 'alter' | 'create', folder: string, role: Role): string =>
  `${verb} role ${role} login noinherit password '${verifierOf(passwordOf(folder, role))}'`;

/** Makes the roles and the database in our own cluster, as its superuser. What kurs_app owned before is the owner's then. */
export async function createDatabase(admin: string, ofDatabase: string, folder: string): Promise<void> {
  await on(admin, async (client) => {
    if ((await verbFor(client, 'kurs_owner')) === 'create') await client.query('create role kurs_owner nologin noinherit');
    for (const role of ROLES) await client.query(loginOf(await verbFor(client, role), folder, role));
    const found = await client.query(`select from pg_database where datname = 'kurs'`);
    if (!found.rowCount) await client.query('create database kurs owner kurs_owner');
  });
  await on(ofDatabase, async (client) => {
    const owned = await client.query(`select from pg_shdepend where refobjid = 'kurs_app'::regrole and deptype = 'o' limit 1`);
    if (owned.rowCount) await client.query('reassign owned by kurs_app to kurs_owner');
  });
}

type Own = Pick<Config, 'KURS_DATA' | 'KURS_MODE' | 'DATABASE_URL' | 'KURS_APP_DATABASE_URL' | 'KURS_SIGNER_DATABASE_URL'>;

/**
 * The addresses over a PostgreSQL of one's own, whose owner's is DATABASE_URL. Roles that have no address of their own are made
 * where the owner may make roles, and found where somebody has made them. Throws a ConfigError with the statements that make
 * them, for real money; a sandbox is warned by `warn`, and goes on as the owner.
 */
export async function ownAddresses(config: Own, warn: (words: string) => void): Promise<DatabaseAddresses> {
  const ownerUrl = config.DATABASE_URL;
  const given = { kurs_app: config.KURS_APP_DATABASE_URL, kurs_signer: config.KURS_SIGNER_DATABASE_URL };
  const urls: Partial<Record<Role, string>> = {};
  const faults: [Role, string][] = [];
  for (const role of ROLES) {
    const url = given[role] || withLogin(ownerUrl, role, passwordOf(config.KURS_DATA, role));
    if (!given[role]) await makeRole(ownerUrl, url, config.KURS_DATA, role);
    const fault = await faultOf(url, ownerUrl);
    if (fault === undefined) urls[role] = url;
    else faults.push([role, fault]);
  }
  if (faults.length > 0) {
    const words = await refusal(config, faults);
    if (config.KURS_MODE === 'live') throw new ConfigError(words);
    warn(words);
  }
  return { ownerUrl, url: urls.kurs_app ?? ownerUrl, signerUrl: urls.kurs_signer ?? ownerUrl };
}

function withLogin(url: string, user: string, password: string): string {
  const login = new URL(url);
  login.username = user;
  login.password = password;
  return login.href;
}

/**
 * Makes a role, or gives it our password, where the owner may; a role that another database of the server uses is left alone.
 */
async function makeRole(ownerUrl: string, url: string, folder: string, role: Role): Promise<void> {
  if (await opens(url)) return;
  await on(ownerUrl, async (client) => {
    const may = await client.query(`select from pg_roles where rolname = current_user and (rolsuper or rolcreaterole)`);
    const elsewhere = await client.query(
      `select from pg_shdepend where refclassid = 'pg_authid'::regclass and refobjid = (select oid from pg_roles where rolname = $1)
         and dbid not in (0, (select oid from pg_database where datname = current_database())) limit 1`,
      [role],
    );
    if (!may.rowCount || elsewhere.rowCount) return;
    // A role that somebody else made may not be ours to alter: then it is told with the others.
    await client.query(loginOf(await verbFor(client, role), folder, role)).catch((error: unknown) => {
      if (!(error instanceof pg.DatabaseError)) throw error;
    });
  });
}

const opens = (url: string): Promise<boolean> =>
  on(url, async () => true).catch((error: unknown) => {
    if (error instanceof pg.DatabaseError) return false;
    throw error;
  });

/** What is wrong with the role of an address; undefined for nothing. It must not be the owner, nor become it. */
async function faultOf(url: string, ownerUrl: string): Promise<string | undefined> {
  if (!(await opens(url))) return 'does not open the database';
  const owner = await on(ownerUrl, async (client) => {
    const { rows } = await client.query<{ name: string }>('select current_user as name');
    return rows[0]?.name ?? '';
  });
  return (await on(url, (client) => isStrong(client, owner))) ? 'may do what only the owner may' : undefined;
}

/** May who is connected do what only the owner of the database may? `owner`: another role that is one. */
export async function isStrong(client: pg.Client, owner?: string): Promise<boolean> {
  const { rows } = await client.query<{ strong: boolean }>(
    `select bool_or(rolsuper or rolcreaterole) or pg_has_role(session_user, coalesce($1, session_user), 'member') and $1 is not null
       or pg_has_role(session_user, (select datdba from pg_database where datname = current_database()), 'member') as strong
     from pg_roles where rolname = session_user`,
    [owner ?? null],
  );
  return rows[0]?.strong !== false;
}

async function refusal(
  { KURS_DATA: folder, KURS_MODE: mode, DATABASE_URL: url }: Own,
  faults: readonly [Role, string][],
): Promise<string> {
  const statements = await on(url, (client) =>
    Promise.all(faults.map(async ([role]) => `  ${loginOf(await verbFor(client, role), folder, role)};`)),
  );
  const variables: Record<Role, string> = { kurs_app: 'KURS_APP_DATABASE_URL', kurs_signer: 'KURS_SIGNER_DATABASE_URL' };
  const own = faults.map(([role]) => variables[role]).join(' and ');
  return `${faults.map(([role, words]) => `${role} ${words}.`).join(' ')}
${mode === 'live' ? 'For real money the product is no owner of its database.' : 'Without it the product is the owner of its database, and can change what is final.'}
Run these statements as a role that may make roles, and start again:
${statements.join('\n')}
(What stands for the password opens nothing.) Or name the addresses of two such roles by ${own}.`;
}
