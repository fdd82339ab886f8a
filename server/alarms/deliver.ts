import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { AppendFile, type Db, log } from '../platform/index.ts';
import { settings } from './settings.ts';

const AT_ONCE = 20;
const PATIENCE_MS = 10_000;
const LONGEST_PAUSE_SECONDS = 600;

interface Message {
  id: string;
  way: 'webhook' | 'file';
  text: string;
  queued_at: Date;
  tries: number;
}

/** Gives messages that are due to the webhook and writes them to the file; what is not taken is tried again. Gives how many went. */
export async function deliverMessages(db: Db, file: string): Promise<number> {
  // Claimed for as long as an answer may take, so that no other worker posts the same.
  const due = await db.rows<Message>(
    `update alarm_message set tries = tries + 1,
       due_at = clock_now() + least($2, 15 * 2 ^ least(tries, 10)) * interval '1 second'
     where id in (select id from alarm_message where due_at <= clock_now() order by id limit $1 for update skip locked)
     returning id, way, text, queued_at, tries`,
    [AT_ONCE, LONGEST_PAUSE_SECONDS],
    { name: 'alarms.claim' },
  );
  let gone = 0;
  for (const message of due.toSorted((one, other) => (one.id < other.id ? -1 : 1))) {
    try {
      if (message.way === 'file') appendLine(file, message.queued_at, message.text);
      else await postText(message.text);
      await db.run('delete from alarm_message where id = $1', [message.id]);
      gone += 1;
    } catch (error) {
      log.warn('an alarm could not be told', { way: message.way, tries: message.tries, error });
    }
  }
  return gone;
}

/** Adds an alarm to the file that every alarm is a line of. */
export function appendLine(file: string, at: Date, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  const lines = new AppendFile(file);
  try {
    lines.append(`${at.toISOString()} ${text.replaceAll('\n', ' ')}\n`);
  } finally {
    lines.close();
  }
}

/**
 * Posts an alarm to the webhook, in the form of Telegram's `sendMessage`, which other services take as well. Throws if it is
 * not taken.
 */
export async function postText(text: string): Promise<void> {
  const url = settings.get('alarms.webhook');
  if (url === '') return;
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ chat_id: settings.get('alarms.chat'), text }),
    redirect: 'error',
    signal: AbortSignal.timeout(PATIENCE_MS),
  });
  if (!response.ok) throw new Error(`answered ${response.status}`);
}
