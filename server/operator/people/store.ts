import { isDeepStrictEqual } from 'node:util';
import { type Permission, Problem } from '@kurs/contract';
import {
  type PageRequest,
  type Statements,
  type Tx,
  beginOf,
  countSome,
  newId,
  nextOf,
  isMac,
  macOf,
  secretHash,
  secretHashes,
  steady,
} from '../../platform/index.ts';
import { type Action, actionMac, isAsRecorded } from './audit-seal.ts';
import { type RoleRow, ROWS_OF_ROLE, newestRole } from './desk-roles.ts';
import type { CallOf, Person, Role } from './roles.ts';

/** A request of one person that waits for a second. */
export interface Request {
  readonly id: string;
  readonly action: string;
  readonly subject: string;
  readonly body: unknown;
  readonly requestedBy: string;
  readonly requestedByName: string;
  readonly reason: string;
  readonly requestedAt: Date;
}

export interface AuditRow {
  readonly at: Date;
  readonly by: string;
  readonly action: string;
  readonly subject: string;
  readonly reason: string;
  readonly outcome: string;
  /** Content of the requested action. */
  readonly body: unknown;
}

/** Columns of a person's row that its MAC covers. */
interface MarkedPerson {
  readonly id: string;
  readonly name: string;
  readonly role: Role;
  readonly isActive: boolean;
  readonly fingerprint: Buffer | null;
  readonly keyHash: Buffer;
  readonly factorSince: Date | null;
}

/** SQL: select list of a `MarkedRow`, for a row of `operator`. */
const MARKED = `operator.id, operator.name, operator.role, operator.active as "isActive", operator.fingerprint, operator.key_hash as "keyHash",
  (select f.enabled_at from operator_factor f where f.operator_id = operator.id) as "factorSince", operator.mac as "personMac"`;

type MarkedRow = MarkedPerson & { readonly personMac: string | null };

const contentOf = ({ id, name, role, isActive, fingerprint, keyHash, factorSince }: MarkedPerson): string =>
  steady([id, name, role, isActive, fingerprint?.toString('hex'), keyHash.toString('hex'), factorSince]);
const personMac = (person: MarkedPerson): string => macOf('desk person', contentOf(person));

/**
 * True if the MAC of a person's row is right. Otherwise the person was inserted by SQL, or the role, key or authenticator was
 * changed by SQL; such a person has no access.
 */
const isPersonAsHired = (row: MarkedRow): boolean => isMac('desk person', contentOf(row), row.personMac);

/** Returns the hash under which a key is stored, by the key's fingerprint. */
const keyHashOf = (fingerprint: Buffer): Buffer => secretHash('desk key', fingerprint.toString('hex'));
/** Returns the hashes of a key under all versions of the server's secret, by the key's fingerprint. */
const keyHashesOf = (fingerprint: Buffer): Buffer[] => secretHashes('desk key', fingerprint.toString('hex'));

type WithRole = MarkedRow & { readonly roles: readonly RoleRow[] | null };

function personIn(row: WithRole | undefined): Person | undefined {
  if (!row?.isActive || !isPersonAsHired(row)) return undefined;
  const { id, name, role } = row;
  return { id, name, role, permissions: newestRole(row.roles)?.permissions ?? [] };
}

/** Returns the person whose key has this fingerprint; undefined if the key is unknown or revoked. */
export async function personByKey(db: Statements, fingerprint: Buffer): Promise<Person | undefined> {
  return personIn(
    await db.row<WithRole>(
      `select ${MARKED}, ${ROWS_OF_ROLE} as roles from operator where key_hash = any ($1)`,
      [keyHashesOf(fingerprint)],
      { name: 'operator.by_key' },
    ),
  );
}

/** A desk session as stored. */
export interface StoredDeskSession {
  readonly id: string;
  readonly personId: string;
  readonly hash: Buffer;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

const ofSession = ({ id, personId, hash, createdAt, expiresAt }: StoredDeskSession): string =>
  steady([id, personId, hash.toString('hex'), createdAt, expiresAt]);

/** Stores a new session of the desk. `ip` is null if unknown. */
export async function addDeskSession(tx: Tx, session: StoredDeskSession, ip: string | null): Promise<void> {
  const { id, personId, hash, createdAt, expiresAt } = session;
  await tx.run(
    `insert into operator_session (id, operator_id, token_hash, ip, created_at, expires_at, mac) values ($1, $2, $3, $4, $5, $6, $7)`,
    [id, personId, hash, ip, createdAt, expiresAt, macOf('desk session', ofSession(session))],
  );
}

type SessionRow = WithRole &
  Pick<StoredDeskSession, 'hash' | 'createdAt' | 'expiresAt'> & { readonly sessionId: string; readonly mac: string | null };

/**
 * Returns the person of a session, by the hashes of its token. Undefined for an unknown or ended session, and for a session
 * that SQL inserted, moved or prolonged.
 */
export async function personBySession(db: Statements, hashes: readonly Buffer[]): Promise<Person | undefined> {
  const row = await db.row<SessionRow>(
    `select ${MARKED}, ${ROWS_OF_ROLE} as roles, s.id as "sessionId", s.token_hash as hash,
       s.created_at as "createdAt", s.expires_at as "expiresAt", s.mac
     from operator_session s join operator on operator.id = s.operator_id
     where s.token_hash = any ($1) and s.expires_at > clock_now()`,
    [hashes],
    { name: 'operator.by_session' },
  );
  const isBegun = row && isMac('desk session', ofSession({ ...row, id: row.sessionId, personId: row.id }), row.mac);
  return isBegun ? personIn(row) : undefined;
}

/** Locks a person of the desk. */
export async function lockPerson(tx: Tx, id: string): Promise<void> {
  await tx.run('select from operator where id = $1 for no key update', [id]);
}

/**
 * Locks a person, and returns if they have set up an authenticator. Returns undefined if the person is inactive or has another
 * key.
 */
export async function keyHolder(
  tx: Tx,
  personId: string,
  fingerprint: Buffer,
): Promise<{ readonly hasFactor: boolean } | undefined> {
  await lockPerson(tx, personId);
  const stands = `select ${MARKED} from operator where id = $1 and key_hash = any ($2) and active`;
  const row = await tx.row<MarkedRow>(stands, [personId, keyHashesOf(fingerprint)]);
  return row && isPersonAsHired(row) ? { hasFactor: row.factorSince !== null } : undefined;
}

/** Stores the time from which a person's authenticator is required. Call it before changing the authenticator's own row. */
export async function noteFactor(tx: Tx, id: string, since: Date): Promise<void> {
  const row = await tx.row<{ name: string }>('select name from operator where id = $1', [id]);
  if (row) await changePerson(tx, row.name, { factorSince: since });
}

/** Adds a person whose key has this fingerprint. Does nothing if the name is taken. */
export async function addPerson(
  tx: Tx,
  { name, role, fingerprint }: { name: string; role: Role; fingerprint: Buffer },
): Promise<void> {
  const person = { id: newId(), name, role, isActive: true, fingerprint, keyHash: keyHashOf(fingerprint), factorSince: null };
  await tx.run(
    `insert into operator (id, name, role, key_hash, fingerprint, created_at, key_since, mac) values ($1, $2, $3, $4, $5, $6, $6, $7)
     on conflict (name) do nothing`,
    [person.id, name, role, person.keyHash, fingerprint, tx.now, personMac(person)],
  );
}

/** Changes a person's row and its MAC. Throws `record_altered` if the row was changed by SQL. */
async function changePerson(tx: Tx, name: string, change: Partial<MarkedPerson>): Promise<void> {
  const row = await tx.row<MarkedRow>(`select ${MARKED} from operator where name = $1 for no key update of operator`, [name]);
  if (!row) return;
  if (!isPersonAsHired(row)) throw new Problem('record_altered');
  const changed = { ...row, ...change };
  await tx.run('update operator set active = $2, key_hash = $3, fingerprint = $4, mac = $5 where name = $1', [
    ...[name, changed.isActive, changed.keyHash, changed.fingerprint, personMac(changed)],
  ]);
}

/** Recomputes the MACs of all people and sessions of the desk. For tests only, which write rows by SQL. */
export async function writeDeskMacs(db: Statements): Promise<void> {
  for (const row of await db.rows<MarkedRow>(`select ${MARKED} from operator`))
    await db.run('update operator set mac = $2 where id = $1', [row.id, personMac(row)]);
  const sessions = await db.rows<StoredDeskSession>(
    `select id, operator_id as "personId", token_hash as hash, created_at as "createdAt", expires_at as "expiresAt" from operator_session`,
  );
  for (const one of sessions)
    await db.run('update operator_session set mac = $2 where id = $1', [one.id, macOf('desk session', ofSession(one))]);
}

/** A present or former person of the desk. */
export interface KnownPerson {
  readonly name: string;
  readonly role: Role;
  readonly isActive: boolean;
  /** Null for a person who was inserted by SQL. */
  readonly fingerprint: Buffer | null;
  readonly keySince: Date;
  readonly revokedAt: Date | null;
  readonly lastAct: Date | null;
}

const KNOWN = `name, role, active as "isActive", fingerprint, key_since as "keySince", revoked_at as "revokedAt",
  (select max(at) from audit where by = operator.name) as "lastAct" from operator`;

/** Returns all present and former people of the desk, active ones first, by name. */
export async function allPeople(db: Statements): Promise<KnownPerson[]> {
  return db.rows<KnownPerson>(`select ${KNOWN} order by active desc, name`);
}

/** SQL: each person with the last action that changed their key, and the role with which they were hired. */
const DONE_ABOUT = `operator o
  left join lateral (select action, body ->> 'fingerprint' as fingerprint from audit
    where subject = o.name and action in ('hire', 'rotate', 'revoke') and outcome = 'done' order by at desc, id desc limit 1) last on true
  left join lateral (select body ->> 'role' as role from audit
    where subject = o.name and action = 'hire' and outcome = 'done' order by at desc, id desc limit 1) hired on true`;

/** Returns the names of active people whom the audit contradicts: never hired, already revoked, or with another role or key. */
export async function alteredPeople(db: Statements): Promise<string[]> {
  const rows = await db.rows<MarkedRow & { isOther: boolean }>(
    `select ${MARKED.replaceAll('operator.', 'o.')},
       coalesce(last.action, 'revoke') = 'revoke' or hired.role is distinct from o.role
         or last.fingerprint is distinct from encode(o.fingerprint, 'hex') as "isOther"
     from ${DONE_ABOUT} where o.active order by o.name`,
  );
  return rows.filter((row) => row.isOther || !isPersonAsHired(row)).map(({ name }) => name);
}

/** Locks and returns a person by name; undefined if unknown. */
export async function personByName(tx: Tx, name: string): Promise<KnownPerson | undefined> {
  return tx.row<KnownPerson>(`select ${KNOWN} where name = $1 for no key update`, [name]);
}

/** True if a present or former person has the key with this fingerprint. */
export async function keyIsTaken(db: Statements, fingerprint: Buffer): Promise<boolean> {
  return (await db.row('select from operator where key_hash = any ($1)', [keyHashesOf(fingerprint)])) !== undefined;
}

/** Replaces a person's key. Ends the person's sessions, removes the authenticator, and cancels the person's open requests. */
export async function replaceKey(tx: Tx, name: string, fingerprint: Buffer): Promise<void> {
  await changePerson(tx, name, { fingerprint, keyHash: keyHashOf(fingerprint), factorSince: null });
  await tx.run('update operator set key_since = $2 where name = $1', [name, tx.now]);
  await dropOf(tx, 'operator_factor', name);
  await dropOf(tx, 'operator_session', name);
  await dropRequestsOf(tx, name);
}

/** Removes a person from the desk: ends all sessions and cancels the person's open requests. */
export async function revokePerson(tx: Tx, name: string): Promise<void> {
  await tx.run('update operator set active = false, mac = null, revoked_at = $2 where name = $1', [name, tx.now]);
  await dropOf(tx, 'operator_session', name);
  await dropRequestsOf(tx, name);
}

async function dropOf(tx: Tx, table: 'operator_factor' | 'operator_session', name: string): Promise<void> {
  await tx.run(`delete from ${table} where operator_id = (select id from operator where name = $1)`, [name]);
}

async function dropRequestsOf(tx: Tx, name: string): Promise<void> {
  await tx.run(
    'delete from operator_request where confirmed_at is null and requested_by = (select id from operator where name = $1)',
    [name],
  );
}

/**
 * Returns the number of active people with a permission. An exchange is not offered if its payout needs more operators than
 * there are.
 */
export async function peopleWith(db: Statements, permission: Permission): Promise<number> {
  const rows = await db.rows<{ people: number; roles: readonly RoleRow[] | null }>(
    `select people, ${ROWS_OF_ROLE} as roles
     from (select role, count(*)::int as people from operator where active group by role) as operator`,
  );
  const having = rows.filter(({ roles }) => newestRole(roles)?.permissions.includes(permission));
  return having.reduce((sum, { people }) => sum + people, 0);
}

const REQUEST = `r.id, r.action, r.subject, r.body, r.requested_by as "requestedBy", o.name as "requestedByName", r.reason, r.requested_at as "requestedAt"
  from operator_request r join operator o on o.id = r.requested_by`;

/** Returns and locks the open request for an action on a subject. */
export async function openRequest(tx: Tx, action: string, subject: string): Promise<Request | undefined> {
  return tx.row<Request>(`select ${REQUEST} where r.action = $1 and r.subject = $2 and r.confirmed_at is null for update of r`, [
    action,
    subject,
  ]);
}

/** Returns the call of an unconfirmed request by the request's id; undefined for an unknown id. */
export async function callOfRequest(db: Statements, id: string): Promise<CallOf | undefined> {
  const row = await db.row<{ call: CallOf | null }>('select call from operator_request where id = $1 and confirmed_at is null', [
    id,
  ]);
  return row?.call ?? undefined;
}

/** Returns all open requests, or only those about one subject, the oldest first. */
export async function openRequests(db: Statements, subject?: string): Promise<Request[]> {
  return db.rows<Request>(
    `select ${REQUEST} where r.confirmed_at is null and ($1::text is null or r.subject = $1) order by r.requested_at`,
    [subject ?? null],
  );
}

/**
 * Returns the requests that the audit doesn't confirm: the audit has no such action, or has another person or other content for
 * it.
 */
export async function requestsNotRequested(db: Statements, among?: readonly Request[]): Promise<Request[]> {
  const requests = among ?? (await openRequests(db));
  const rows = await db.rows<Action & { mac: string | null }>(
    `select id, at, by, action, subject, reason, outcome, body, mac from audit where id = any ($1) and outcome = 'asked'`,
    [requests.map(({ id }) => id)],
    { name: 'operator.asked' },
  );
  const requested = new Map(rows.filter(isAsRecorded).map((row) => [row.id, row]));
  return requests.filter((request) => !isOf(request, requested.get(request.id)));
}

const isOf = ({ requestedByName, action, subject, body }: Request, request: Action | undefined): boolean =>
  request?.by === requestedByName &&
  request.action === action &&
  request.subject === subject &&
  isDeepStrictEqual(request.body, (body as { wanted: unknown }).wanted);

/** Stores a request. Returns false if there is already an open request for the same action and subject. */
export async function addRequest(
  tx: Tx,
  request: { id: string; action: string; subject: string; body: unknown; by: Person; reason: string },
): Promise<boolean> {
  const { id, action, subject, body, by, reason } = request;
  const added = await tx.run(
    `insert into operator_request (id, action, subject, body, requested_by, reason, requested_at, call) values ($1, $2, $3, $4, $5, $6, $7, $8)
     on conflict (action, subject) where confirmed_at is null do nothing`,
    [id, action, subject, JSON.stringify(body), by.id, reason, tx.now, by.call === undefined ? null : JSON.stringify(by.call)],
  );
  return added > 0;
}

/** Deletes an open request that is void or that its author replaces. The audit still shows that the request was made. */
export async function dropRequest(tx: Tx, id: string): Promise<void> {
  await tx.run('delete from operator_request where id = $1 and confirmed_at is null', [id]);
}

/** Returns the outcome of an action by its id; undefined for an unknown id. */
export async function outcomeOf(tx: Tx, id: string): Promise<string | undefined> {
  return (await tx.row<{ outcome: string }>('select outcome from audit where id = $1', [id]))?.outcome;
}

/** Marks a request as confirmed by the second person. */
export async function confirmRequest(tx: Tx, id: string, by: Person): Promise<void> {
  await tx.run('update operator_request set confirmed_by = $2, confirmed_at = $3 where id = $1', [id, by.id, tx.now]);
}

/** Adds an action with its MAC to the audit. The audit's rows are never changed. */
export async function recordAction(tx: Tx, given: Omit<Action, 'at'>): Promise<void> {
  const action = { ...given, at: tx.now };
  await tx.run(
    'insert into audit (id, at, by, action, subject, reason, outcome, body, mac) values ($1, $2, $3, $4, $5, $6, $7, $8, $9)',
    [
      action.id,
      action.at,
      action.by,
      action.action,
      action.subject,
      action.reason,
      action.outcome,
      JSON.stringify(action.body),
      actionMac(action),
    ],
  );
}

/** Returns the completed actions that made or lifted blocks, the oldest first. */
export async function blockActions(
  db: Statements,
): Promise<{ action: 'block' | 'unblock'; who: string; keys: readonly string[]; until: string | null }[]> {
  return db.rows(
    `select action, subject as who, coalesce(array(select jsonb_array_elements_text(body -> 'keys')), '{}') as keys, body ->> 'until' as until
     from audit
     where action in ('block', 'unblock') and outcome = 'done' order by at, xid, id`,
  );
}

/** Returns a page of the audit, the newest first, with the number of all matching rows. */
export async function auditPage(
  db: Statements,
  request: PageRequest & { readonly by?: string | undefined; readonly subject?: string | undefined },
): Promise<{ rows: AuditRow[]; total: number; next: string | undefined }> {
  const where = 'where ($1::text is null or by = $1) and ($2::text is null or subject = $2)';
  const { at, id, offset } = beginOf(request);
  const values = [request.by ?? null, request.subject ?? null];
  const rows = await db.rows<AuditRow & { id: string; cursor: string }>(
    `select id, at, at::text as cursor, by, action, subject, reason, outcome, body from audit ${where}
       and ($3::timestamptz is null or (at, id) < ($3, $4::uuid))
     order by at desc, id desc limit $5 offset $6`,
    [...values, at, id, request.per_page, offset],
  );
  const count = await db.row<{ total: number }>(countSome(`select from audit ${where}`), values);
  const next = nextOf(
    rows.map((row) => ({ at: row.cursor, id: row.id })),
    request,
  );
  const actions = rows.map(({ at: when, by, action, subject, reason, outcome, body }) => ({
    at: when,
    by,
    action,
    subject,
    reason,
    outcome,
    body,
  }));
  return { rows: actions, total: count?.total ?? 0, next };
}
