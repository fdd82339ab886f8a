// The roles of the product's database, and the addresses with which its processes use them.
//
// owner: owns the database and migrates it, and does nothing else. kurs_app: role of the api and the worker; it writes rows, but
// can't truncate or alter a table, nor change final rows. kurs_signer: role of the signer, which reads payouts. The database's
// own give_rights() grants what each may do.

import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import pg from 'pg';
import { type Config, ConfigError, secret } from '../platform/index.ts';

/** Addresses of the database for the owner, for the product's processes, and for the signer. */
export interface DatabaseAddresses {
  readonly ownerUrl: string;
  readonly url: string;
  readonly signerUrl: string;
}

const ROLES = ['kurs_app', 'kurs_signer'] as const;
type Role = (typeof ROLES)[number];

/** Returns the password of a role from the folder of keys. */
export const passwordOf = (folder: string, role: Role): string =>
  secret(folder, role === 'kurs_app' ? 'database.password' : 'signer-database.password');

/**
 * Returns the verifier that PostgreSQL stores of a password (RFC 5803, SCRAM-SHA-256), so that the password itself is never sent,
 * logged or shown. With a password of 256 random bits the verifier opens nothing.
 */
export function verifierOf(password: string, salt = randomBytes(16)): string {
  const rounds = 4096;
  const salted = pbkdf2Sync(password, salt, rounds, 32, 'sha256');
  const hmac = (text: string): Buffer => createHmac('sha256', salted).update(text).digest();
  const stored = createHash('sha256').update(hmac('Client Key')).digest('base64');
  return `SCRAM-SHA-256$${rounds}:${salt.toString('base64')}$${stored}:${hmac('Server Key').toString('base64')}`;
}

/** Runs `work` on one connection to an address. */
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

/**
 * Creates the roles and the database in the embedded cluster, as its superuser. Objects that kurs_app owned are given to the
 * owner.
 */
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

type OwnDatabase = Pick<
  Config,
  'KURS_DATA' | 'KURS_MODE' | 'DATABASE_URL' | 'KURS_APP_DATABASE_URL' | 'KURS_SIGNER_DATABASE_URL'
>;

/**
 * Returns the addresses for the operator's own PostgreSQL, where DATABASE_URL is the owner's address. Roles without an address
 * are created if the owner may create roles, or found if they exist. If that fails, throws a `ConfigError` in live mode, with the
 * statements that create them; a sandbox calls `warn` and runs as the owner.
 */
export async function ownAddresses(config: OwnDatabase, warn: (words: string) => void): Promise<DatabaseAddresses> {
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

/** Creates a role, or sets our password, if the owner may. A role that another database of the server uses stays unchanged. */
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
    // Altering a role that somebody else created may fail: it is then reported with the others.
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

/** Returns the fault of an address's role; undefined for none. The role must not be the owner, nor be able to become it. */
async function faultOf(url: string, ownerUrl: string): Promise<string | undefined> {
  if (!(await opens(url))) return 'does not open the database';
  const owner = await on(ownerUrl, async (client) => {
    const { rows } = await client.query<{ name: string }>('select current_user as name');
    return rows[0]?.name ?? '';
  });
  return (await on(url, (client) => isStrong(client, owner))) ? 'may do what only the owner may' : undefined;
}

/**
 * Returns true if the connected role may do what only the owner of the database may. `owner`: another role that counts as one.
 */
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
  { KURS_DATA: folder, KURS_MODE: mode, DATABASE_URL: url }: OwnDatabase,
  faults: readonly [Role, string][],
): Promise<string> {
  const statements = await on(url, (client) =>
    Promise.all(faults.map(async ([role]) => `  ${loginOf(await verbFor(client, role), folder, role)};`)),
  );
  const variables: Record<Role, string> = { kurs_app: 'KURS_APP_DATABASE_URL', kurs_signer: 'KURS_SIGNER_DATABASE_URL' };
  const own = faults.map(([role]) => variables[role]).join(' and ');
  return `${faults.map(([role, words]) => `${role} ${words}.`).join(' ')}
${mode === 'live' ? 'In live mode the product must not be the owner of its database.' : 'Without it the product runs as the owner of its database, and could change final rows.'}
Run these statements as a role that may create roles, and start again:
${statements.join('\n')}
(The text in place of the password is a verifier, which opens nothing.) Or set the addresses of two such roles in ${own}.`;
}
