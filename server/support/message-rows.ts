import type { Cell, Statements } from '../platform/index.ts';

const COLUMNS = ['conversation', 'said_utc', 'by', 'text', 'files'];
const GROUP = 500;

interface MessageRow {
  readonly number: string;
  readonly threadId: string;
  readonly seq: number;
  readonly by: string;
  readonly text: string;
  readonly at: Date;
  readonly files: string | null;
}

/**
 * Yields the messages of tickets and chats of a mailbox as rows of a file, grouped by conversation. The first row has the names
 * of the columns. Without a verified mailbox, there are no further rows.
 */
export async function* messageRows(db: Statements, mailbox: string | undefined): AsyncGenerator<Cell[][]> {
  yield [COLUMNS];
  let behind: MessageRow | undefined;
  while (mailbox !== undefined) {
    const rows: MessageRow[] = await db.rows<MessageRow>(
      `select t.number, m.thread_id as "threadId", m.seq, m.by, m.text, m.at,
         (select string_agg(f.name, ', ' order by f.n) from support_file f where f.thread_id = m.thread_id and f.seq = m.seq) as files
       from support_thread t join support_message m on m.thread_id = t.id
       where lower(t.email) = $1 and t.status <> 'unconfirmed' and ($2::uuid is null or (m.thread_id, m.seq) > ($2, $3::int))
       order by m.thread_id, m.seq limit $4`,
      [mailbox, behind?.threadId ?? null, behind?.seq ?? null, GROUP],
    );
    behind = rows.at(-1);
    if (!behind) return;
    yield rows.map(({ number, at, by, text, files }) => [number, at.toISOString(), by, text, files ?? '']);
  }
}
