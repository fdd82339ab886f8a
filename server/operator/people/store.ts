import { isDeepStrictEqual } from 'node:util';
import type { Permission } from '@kurs/contract';
import { type PageAsked, type Statements, type Tx, beginOf, countSome, newId, nextOf } from '../../platform/index.ts';
import { type Action, actionMac, isAsRecorded } from './audit-seal.ts';
import { PERMISSIONS_OF_ROLE } from './desk-roles.ts';
import type { CallOf, Person, Role } from './roles.ts';

/** A request of one person that waits for a second. */
export interface Request {
  readonly id: string;
  readonly act: string;
  readonly subject: string;
  readonly body: unknown;
  readonly askedBy: string;
  readonly askedByName: string;
  readonly reason: string;
  readonly askedAt: Date;
}

export interface AuditRow {
  readonly at: Date;
  readonly by: string;
  readonly act: string;
  readonly subject: string;
  readonly reason: string;
  readonly outcome: string;
  /** What it was about, as it was asked for. */
  readonly body: unknown;
}

/** Who holds a key, by its hash; undefined for none or one that was taken back. */
export async function personByKey(db: Statements, keyHash: Buffer): Promise<Person | undefined> {
  return db.row<Person>(
    `select id, name, role, ${PERMISSIONS_OF_ROLE} as permissions from operator where key_hash = $1 and active`,
    [keyHash],
    {
      name: 'operator.by_key',
    },
  );
}

/** Adds a person with a key. Does nothing where the name is taken. */
export async function addPerson(tx: Tx, person: { name: string; role: Role; keyHash: Buffer }): Promise<void> {
  await tx.run(
    'insert into operator (id, name, role, key_hash, created_at, key_since) values ($1, $2, $3, $4, $5, $5) on conflict (name) do nothing',
    [newId(), person.name, person.role, person.keyHash, tx.now],
  );
}

/** Somebody who is, or was, of the desk. */
export interface KnownPerson {
  readonly name: string;
  readonly role: Role;
  readonly active: boolean;
  readonly keyHash: Buffer;
  readonly keySince: Date;
  readonly revokedAt: Date | null;
  readonly lastAct: Date | null;
}

const KNOWN = `name, role, active, key_hash as "keyHash", key_since as "keySince", revoked_at as "revokedAt",
  (select max(at) from audit where by = operator.name) as "lastAct" from operator`;

/** Everybody who is, or was, of the desk, by name. */
export async function allPeople(db: Statements): Promise<KnownPerson[]> {
  return db.rows<KnownPerson>(`select ${KNOWN} order by active desc, name`);
}

/** Those of some people of whom no action of the audit says that they were hired. */
export async function peopleWithoutAct(db: Statements, names: readonly string[]): Promise<KnownPerson[]> {
  return db.rows<KnownPerson>(
    `select ${KNOWN} where name = any ($1) and not exists (select from audit where act = 'hire' and subject = operator.name)`,
    [names],
  );
}

/** Each person with the last that was done about them, and as whom they were hired. Hires of before don't say the key. */
const DONE_ABOUT = `operator o
  left join lateral (select act, body ->> 'fingerprint' as fingerprint from audit
    where subject = o.name and act in ('hire', 'rotate', 'revoke') and outcome = 'done' order by at desc, id desc limit 1) last on true
  left join lateral (select body ->> 'role' as role from audit
    where subject = o.name and act = 'hire' and outcome = 'done' order by at desc, id desc limit 1) hired on true`;

/** People who may act and whom the desk's actions don't know so: hired by nobody, revoked, of another role or with another key. */
export async function alteredPeople(db: Statements): Promise<string[]> {
  const rows = await db.rows<{ name: string }>(
    `select o.name from ${DONE_ABOUT}
     where o.active and (coalesce(last.act, 'revoke') = 'revoke' or hired.role is distinct from o.role
       or coalesce(last.fingerprint, encode(o.key_hash, 'hex')) <> encode(o.key_hash, 'hex')) order by 1`,
  );
  return rows.map(({ name }) => name);
}

/** Somebody by name, locked; undefined for nobody. */
export async function personByName(tx: Tx, name: string): Promise<KnownPerson | undefined> {
  return tx.row<KnownPerson>(`select ${KNOWN} where name = $1 for no key update`, [name]);
}

/** Whether a key is, or was last, somebody's. */
export async function keyIsTaken(db: Statements, keyHash: Buffer): Promise<boolean> {
  return (await db.row('select from operator where key_hash = $1', [keyHash])) !== undefined;
}

/** Replaces a person's key: sessions of the old key end, its authenticator is removed, and requests made with it are void. */
export async function replaceKey(tx: Tx, name: string, keyHash: Buffer): Promise<void> {
  await tx.run('update operator set key_hash = $2, key_since = $3 where name = $1', [name, keyHash, tx.now]);
  await dropOf(tx, 'operator_factor', name);
  await dropOf(tx, 'operator_session', name);
  await dropRequestsOf(tx, name);
}

/** Removes a person from the desk: their key opens nothing and their requests are void. */
export async function revokePerson(tx: Tx, name: string): Promise<void> {
  await tx.run('update operator set active = false, revoked_at = $2 where name = $1', [name, tx.now]);
  await dropOf(tx, 'operator_session', name);
  await dropRequestsOf(tx, name);
}

async function dropOf(tx: Tx, table: 'operator_factor' | 'operator_session', name: string): Promise<void> {
  await tx.run(`delete from ${table} where operator_id = (select id from operator where name = $1)`, [name]);
}

async function dropRequestsOf(tx: Tx, name: string): Promise<void> {
  await tx.run(
    'delete from operator_request where confirmed_at is null and asked_by = (select id from operator where name = $1)',
    [name],
  );
}

/** How many people who are active have a permission: an action of two is refused at the quote where there are fewer. */
export async function peopleWith(db: Statements, permission: Permission): Promise<number> {
  const row = await db.row<{ count: number }>(
    `select count(*)::int as count from operator where active and $1 = any (${PERMISSIONS_OF_ROLE})`,
    [permission],
  );
  return row?.count ?? 0;
}

const REQUEST = `r.id, r.act, r.subject, r.body, r.asked_by as "askedBy", o.name as "askedByName", r.reason, r.asked_at as "askedAt"
  from operator_request r join operator o on o.id = r.asked_by`;

/** The open request of an action on a subject, locked. */
export async function openRequest(tx: Tx, action: string, subject: string): Promise<Request | undefined> {
  return tx.row<Request>(`select ${REQUEST} where r.act = $1 and r.subject = $2 and r.confirmed_at is null for update of r`, [
    action,
    subject,
  ]);
}

/** An unconfirmed request's call, by its id; undefined for an unknown one. */
export async function callOfRequest(db: Statements, id: string): Promise<CallOf | undefined> {
  const row = await db.row<{ call: CallOf | null }>('select call from operator_request where id = $1 and confirmed_at is null', [
    id,
  ]);
  return row?.call ?? undefined;
}

/** All open requests, oldest first; of one subject where it is given. */
export async function openRequests(db: Statements, subject?: string): Promise<Request[]> {
  return db.rows<Request>(
    `select ${REQUEST} where r.confirmed_at is null and ($1::text is null or r.subject = $1) order by r.asked_at`,
    [subject ?? null],
  );
}

/** Requests that nobody has made, by the audit's word: not its person, not this, or not at all. */
export async function requestsNotAsked(db: Statements, among?: readonly Request[]): Promise<Request[]> {
  const requests = among ?? (await openRequests(db));
  const rows = await db.rows<Action & { mac: string | null }>(
    `select id, at, by, act, subject, reason, outcome, body, mac from audit where id = any ($1) and outcome = 'asked'`,
    [requests.map(({ id }) => id)],
    { name: 'operator.asked' },
  );
  const asked = new Map(rows.filter(isAsRecorded).map((row) => [row.id, row]));
  return requests.filter((request) => !isOf(request, asked.get(request.id)));
}

const isOf = ({ askedByName, act, subject, body }: Request, asked: Action | undefined): boolean =>
  asked?.by === askedByName &&
  asked.act === act &&
  asked.subject === subject &&
  isDeepStrictEqual(asked.body, (body as { wanted: unknown }).wanted);

/** Records a request; false where somebody was faster. */
export async function addRequest(
  tx: Tx,
  request: { id: string; act: string; subject: string; body: unknown; by: Person; reason: string },
): Promise<boolean> {
  const { id, act, subject, body, by, reason } = request;
  const added = await tx.run(
    `insert into operator_request (id, act, subject, body, asked_by, reason, asked_at, call) values ($1, $2, $3, $4, $5, $6, $7, $8)
     on conflict (act, subject) where confirmed_at is null do nothing`,
    [id, act, subject, JSON.stringify(body), by.id, reason, tx.now, by.call === undefined ? null : JSON.stringify(by.call)],
  );
  return added > 0;
}

/** Takes an open request back: it is void, or its asker wants something else. The audit keeps that it was asked. */
export async function dropRequest(tx: Tx, id: string): Promise<void> {
  await tx.run('delete from operator_request where id = $1 and confirmed_at is null', [id]);
}

/** What became of the action with this id, if there was one. */
export async function outcomeOf(tx: Tx, id: string): Promise<string | undefined> {
  return (await tx.row<{ outcome: string }>('select outcome from audit where id = $1', [id]))?.outcome;
}

/** Marks a request as confirmed by the second person. */
export async function confirmRequest(tx: Tx, id: string, by: Person): Promise<void> {
  await tx.run('update operator_request set confirmed_by = $2, confirmed_at = $3 where id = $1', [id, by.id, tx.now]);
}

/** Adds a row to the audit, with its MAC; it is never changed. */
export async function recordAction(tx: Tx, given: Omit<Action, 'at'>): Promise<void> {
  const action = { ...given, at: tx.now };
  await tx.run(
    'insert into audit (id, at, by, act, subject, reason, outcome, body, mac) values ($1, $2, $3, $4, $5, $6, $7, $8, $9)',
    [
      action.id,
      action.at,
      action.by,
      action.act,
      action.subject,
      action.reason,
      action.outcome,
      JSON.stringify(action.body),
      actionMac(action),
    ],
  );
}

/** Blocks of customers and their liftings, as they were done, oldest first. */
export async function blockActions(
  db: Statements,
): Promise<{ act: 'block' | 'unblock'; who: string; keys: readonly string[] }[]> {
  return db.rows(
    `select act, subject as who, coalesce(array(select jsonb_array_elements_text(body -> 'keys')), '{}') as keys from audit
     where act in ('block', 'unblock') and outcome = 'done' order by at, xid, id`,
  );
}

/** A page of the audit, newest first, with the number of all rows that match. */
export async function auditPage(
  db: Statements,
  asked: PageAsked & { readonly by?: string | undefined; readonly subject?: string | undefined },
): Promise<{ rows: AuditRow[]; total: number; next: string | undefined }> {
  const where = 'where ($1::text is null or by = $1) and ($2::text is null or subject = $2)';
  const { at, id, offset } = beginOf(asked);
  const values = [asked.by ?? null, asked.subject ?? null];
  const rows = await db.rows<AuditRow & { id: string; cursor: string }>(
    `select id, at, at::text as cursor, by, act, subject, reason, outcome, body from audit ${where}
       and ($3::timestamptz is null or (at, id) < ($3, $4::uuid))
     order by at desc, id desc limit $5 offset $6`,
    [...values, at, id, asked.per_page, offset],
  );
  const count = await db.row<{ total: number }>(countSome(`select from audit ${where}`), values);
  const next = nextOf(
    rows.map((row) => ({ at: row.cursor, id: row.id })),
    asked,
  );
  const actions = rows.map(({ at: when, by, act, subject, reason, outcome, body }) => ({
    at: when,
    by,
    act,
    subject,
    reason,
    outcome,
    body,
  }));
  return { rows: actions, total: count?.total ?? 0, next };
}
