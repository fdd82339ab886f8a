import { type Owner, type PageRequest, type Statements, type Tx, beginOf, countSome, nextOf } from '../platform/index.ts';
import type { FileType, StoredFile } from './file-type.ts';
import { type Status, statusAfter } from './ticket-machine.ts';

/** A ticket or a chat, without its messages. */
export interface Thread {
  readonly id: string;
  readonly number: string;
  /** For a chat: the owner that it is about. Null for a ticket. */
  readonly owner: Owner | null;
  readonly email: string;
  readonly locale: 'en' | 'ru';
  readonly topic: string | null;
  /** For a ticket: number of the order that it is about, as its writer entered it. Null for a chat. */
  readonly aboutNumber: string | null;
  readonly status: Status;
  readonly createdAt: Date;
  readonly statusAt: Date;
  readonly version: number;
  readonly deskSeq: number;
  readonly seenSeq: number;
}

export interface Said {
  readonly seq: number;
  readonly by: 'customer' | 'desk';
  readonly text: string;
  readonly at: Date;
}

/** A thread's id and status. */
type ThreadStatus = Pick<Thread, 'id' | 'status'>;

/** A file without its bytes. */
export interface FileRow {
  readonly n: number;
  readonly seq: number;
  readonly name: string;
  readonly type: FileType;
  readonly size: number;
}

const COLUMNS = `id, number, case when owner_id is not null then jsonb_build_object('kind', owner_kind, 'id', owner_id) end as owner,
  email, locale, topic, about_number as "aboutNumber", status,
  created_at as "createdAt", status_at as "statusAt", version, desk_seq as "deskSeq", seen_seq as "seenSeq"`;

/** Returns a ticket by its number; undefined if unknown. `lock` locks it until the transaction ends. */
export async function ticketByNumber(db: Statements, number: string, lock = false): Promise<Thread | undefined> {
  return db.row<Thread>(
    `select ${COLUMNS} from support_thread where number = $1 and topic is not null ${lock ? 'for update' : ''}`,
    [number],
  );
}

/** Returns the chat about an owner, optionally locked; undefined before its first message. */
export async function chatOf(db: Statements, { id }: Pick<Owner, 'id'>, lock = false): Promise<Thread | undefined> {
  return db.row<Thread>(`select ${COLUMNS} from support_thread where owner_id = $1 ${lock ? 'for update' : ''}`, [id], {
    name: `support.chat_of${lock ? '_locked' : ''}`,
  });
}

/** Returns the thread that has a message with this key; undefined if there is none. */
export async function threadByKey(db: Statements, key: string): Promise<Thread | undefined> {
  return db.row<Thread>(
    `select ${COLUMNS} from support_thread where id = (select thread_id from support_message where key = $1)`,
    [key],
  );
}

/** Adds a thread. Does nothing if the chat was created concurrently. */
export async function addThread(
  tx: Tx,
  thread: Pick<Thread, 'id' | 'number' | 'owner' | 'email' | 'locale' | 'topic' | 'aboutNumber' | 'status'>,
): Promise<void> {
  await tx.run(
    `insert into support_thread (id, number, owner_kind, owner_id, email, locale, topic, about_number, status, created_at, status_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10) on conflict (owner_id) do nothing`,
    [
      thread.id,
      thread.number,
      thread.owner?.kind ?? null,
      thread.owner?.id ?? null,
      thread.email,
      thread.locale,
      thread.topic,
      thread.aboutNumber,
      thread.status,
      tx.now,
    ],
  );
}

/** Adds a message to a locked thread. Returns the message's number in the thread. */
export async function addMessage(
  tx: Tx,
  thread: Thread,
  said: {
    readonly by: Said['by'];
    readonly text: string;
    readonly key: string | undefined;
    readonly person?: string;
    readonly files?: readonly StoredFile[];
  },
): Promise<number> {
  const added = await tx.row<{ seq: number }>(
    `insert into support_message (thread_id, seq, by, person, text, at, key)
     select $1, coalesce(max(seq), 0) + 1, $2, $3, $4, $5, $6 from support_message where thread_id = $1 returning seq`,
    [thread.id, said.by, said.person ?? null, said.text, tx.now, said.key ?? null],
  );
  const seq = (added as { seq: number }).seq;
  for (const { name, type, bytes } of said.files ?? [])
    await tx.run(
      `insert into support_file (thread_id, n, seq, name, type, bytes)
       select $1, coalesce(max(n), 0) + 1, $2, $3, $4, $5 from support_file where thread_id = $1`,
      [thread.id, seq, name, type, bytes],
    );
  return seq;
}

/**
 * Stores that a thread's customer wrote: the thread waits for the desk, and the desk's messages are marked as read. The thread
 * must be locked.
 */
export async function noteCustomer(tx: Tx, { id, status }: ThreadStatus): Promise<void> {
  await tx.run(
    `update support_thread set version = version + 1, seen_seq = desk_seq, status = $3,
       status_at = case when status = 'waiting' then status_at else $2 end where id = $1`,
    [id, tx.now, statusAfter(status, 'write')],
  );
}

/** Stores that the desk wrote the message `seq` in a thread. The thread must be locked. */
export async function noteDesk(tx: Tx, { id, status }: ThreadStatus, seq: number): Promise<void> {
  await tx.run(
    `update support_thread set version = version + 1, status = $4, status_at = $2, desk_seq = $3, desk_at = $2,
       answered_at = coalesce(answered_at, $2) where id = $1`,
    [id, tx.now, seq, statusAfter(status, 'answer')],
  );
}

/** Passes a ticket on to the desk after its writer has opened the mailed link. */
export async function confirm(tx: Tx, id: string): Promise<void> {
  await tx.run(
    `update support_thread set status = $3, status_at = $2, created_at = $2, version = version + 1
     where id = $1 and status = 'unconfirmed'`,
    [id, tx.now, statusAfter('unconfirmed', 'confirm')],
  );
}

/** Closes a locked ticket. Does nothing if it is closed. */
export async function close(tx: Tx, { id, status }: ThreadStatus): Promise<void> {
  const next = statusAfter(status, 'close');
  if (next === status) return;
  await tx.run('update support_thread set status = $2, status_at = $3, version = version + 1 where id = $1', [id, next, tx.now]);
}

/** Marks the desk's messages in an owner's chat as read, up to the message with the number `seq`. */
export async function noteSeen(tx: Tx, { id }: Pick<Owner, 'id'>, seq: number): Promise<void> {
  await tx.run(
    `update support_thread set seen_seq = least($2, desk_seq), version = version + 1
     where owner_id = $1 and seen_seq < least($2, desk_seq)`,
    [id, seq],
  );
}

/** Returns the newest messages of a thread, at most `max`, oldest first. */
export async function messagesOf(db: Statements, threadId: string, max: number): Promise<Said[]> {
  return db.rows<Said>(
    `select * from (select seq, by, text, at from support_message where thread_id = $1 order by seq desc limit $2) as newest order by seq`,
    [threadId, max],
    { name: 'support.messages' },
  );
}

/** Returns how many messages and how many files a thread has. */
export async function countIn(db: Statements, threadId: string): Promise<{ messages: number; files: number }> {
  const row = await db.row<{ messages: number; files: number }>(
    `select (select count(*)::int from support_message where thread_id = $1) as messages,
       (select count(*)::int from support_file where thread_id = $1) as files`,
    [threadId],
  );
  return row ?? { messages: 0, files: 0 };
}

/** Returns the number of the desk's messages in a thread that the customer hasn't read. */
export async function unreadOf(db: Statements, { id, seenSeq, deskSeq }: Thread): Promise<number> {
  if (deskSeq <= seenSeq) return 0;
  const row = await db.row<{ count: number }>(
    `select count(*)::int as count from support_message where thread_id = $1 and by = 'desk' and seq > $2`,
    [id, seenSeq],
  );
  return row?.count ?? 0;
}

/** Returns the files of a thread, without their bytes. */
export async function filesOf(db: Statements, threadId: string): Promise<FileRow[]> {
  return db.rows<FileRow>('select n, seq, name, type, length(bytes) as size from support_file where thread_id = $1 order by n', [
    threadId,
  ]);
}

/** Returns a file; undefined if unknown. */
export async function fileOf(db: Statements, threadId: string, n: number): Promise<StoredFile | undefined> {
  return db.row<StoredFile>('select name, type, bytes from support_file where thread_id = $1 and n = $2', [threadId, n]);
}

/** Returns the versions of chats, by the ids of their owners. Owners without a chat are left out. */
export async function chatVersions(db: Statements, owners: readonly string[]): Promise<Map<string, number>> {
  const rows = await db.rows<{ id: string; version: number }>(
    'select owner_id as id, version from support_thread where owner_id = any($1)',
    [owners],
    { name: 'support.chat_versions' },
  );
  return new Map(rows.map(({ id, version }) => [id, version]));
}

/** Returns a page of threads and their total number. Each thread has the beginning of its last message. */
export async function threadPage(
  db: Statements,
  request: PageRequest & { readonly kind: 'ticket' | 'chat'; readonly isWaiting: boolean },
): Promise<{ rows: (Thread & { readonly text: string })[]; total: number; next: string | undefined }> {
  const { kind, isWaiting, per_page } = request;
  const where = `where topic is ${kind === 'ticket' ? 'not null' : 'null'} and status ${isWaiting ? `= 'waiting'` : `<> 'unconfirmed'`}`;
  const { at, id, offset } = beginOf(request);
  const [by, sorted, way] = isWaiting ? ['status_at', 'status_at, id', '>'] : ['created_at', 'created_at desc, id desc', '<'];
  const rows = await db.rows<Thread & { text: string; cursor: string }>(
    `select ${COLUMNS}, ${by}::text as cursor, (select left(text, 200) from support_message where thread_id = support_thread.id order by seq desc limit 1) as text
     from support_thread ${where} and ($1::timestamptz is null or (${by}, id) ${way} ($1, $2::uuid)) order by ${sorted} limit $3 offset $4`,
    [at, id, per_page, offset],
  );
  const count = await db.row<{ total: number }>(countSome(`select from support_thread ${where}`));
  const next = nextOf(
    rows.map((row) => ({ at: row.cursor, id: row.id })),
    request,
  );
  return { rows, total: count?.total ?? 0, next };
}

/**
 * Returns the median time in seconds from opening a ticket to the desk's first answer, for tickets opened since a moment.
 * Undefined if fewer than `min` of them were answered.
 */
export async function medianAnswer(db: Statements, since: Date, min: number): Promise<number | undefined> {
  const row = await db.row<{ count: number; median: number | null }>(
    `select count(*)::int as count,
       percentile_cont(0.5) within group (order by extract(epoch from answered_at - created_at))::float8 as median
     from support_thread where topic is not null and answered_at is not null and created_at >= $1`,
    [since],
  );
  return row && row.count >= min && row.median !== null ? row.median : undefined;
}

/** Locks and returns chats with messages of the desk written before a moment that the customer hasn't read and that weren't mailed. */
export async function lockUnseen(tx: Tx, before: Date, max: number): Promise<Thread[]> {
  return tx.rows<Thread>(
    `select ${COLUMNS} from support_thread
     where owner_id is not null and desk_seq > seen_seq and mailed_seq <= seen_seq and desk_at <= $1
     order by desk_at limit $2 for update skip locked`,
    [before, max],
  );
}

/**
 * Deletes the tickets of a mailbox, with their messages and files, and returns their number. Chats belong to their owners and
 * stay.
 */
export async function forgetTickets(tx: Tx, mailbox: string): Promise<number> {
  return tx.run('delete from support_thread where lower(email) = $1 and topic is not null', [mailbox]);
}

/** Stores that a chat's messages up to the number `seq` were mailed to the customer. */
export async function noteMailed(tx: Tx, id: string, seq: number): Promise<void> {
  await tx.run('update support_thread set mailed_seq = $2 where id = $1', [id, seq]);
}
