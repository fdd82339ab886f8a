// Where alarms are told beside the mail: the file of every alarm, and the webhook.

import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { oneLine } from '@kurs/contract';
import {
  type DeliveryKind,
  type Failing,
  failingEndpoint,
  failingMail,
  publish,
  putEndpoint,
  removeEndpoint,
} from '../deliveries/index.ts';
import { AppendFile, type Db, type Statements, type Tx, log, newId } from '../platform/index.ts';
import type { Found } from './alarm.ts';
import { settings } from './settings.ts';

const AT_ONCE = 20;
const LONGEST_PAUSE_SECONDS = 600;
/** So much of what the webhook or the mail server answers stands in an alarm. */
const MOST_OF_AN_ANSWER = 200;

interface Message {
  id: string;
  text: string;
  queued_at: Date;
  tries: number;
}

/** What a telling says to a webhook. */
interface Body {
  readonly text: string;
}

/** Alarms have one endpoint, the same in each installation. */
const ENDPOINT = '00000000-0000-7000-8000-000000000001';

/**
 * Alarms as webhooks: in the form of Telegram's `sendMessage`, which other services take as well, unsigned. People of the
 * desk name the address, so it may be private; what fails is tried again until it is taken, each ten minutes at least.
 */
export const alarmWebhook: DeliveryKind = {
  kind: 'alarms',
  bodyOf: ({ body }) => JSON.stringify({ chat_id: settings.get('alarms.chat'), text: (body as Body).text }),
  headersOf: () => ({}),
  pauseAfter: (tries) => Math.min(LONGEST_PAUSE_SECONDS, 15 * 2 ** Math.min(tries, 10)),
  mayBePrivate: true,
  switchesOff: false,
  atOnce: 1,
};

/**
 * Keeps the webhook's endpoint as the setting names it: what still waits goes where it says now, and nowhere if it is empty.
 */
export async function keepWebhook(tx: Tx): Promise<void> {
  const url = await settings.read(tx, 'alarms.webhook');
  if (url === '') await removeEndpoint(tx, ENDPOINT);
  else await putEndpoint(tx, { id: ENDPOINT, owner: 'alarms', kind: alarmWebhook.kind, url });
}

/** Whether the webhook takes nothing, and why. */
export async function foundOfWebhook(db: Statements): Promise<Found[]> {
  const failing = await failingEndpoint(db, ENDPOINT);
  if (!failing) return [];
  return [{ key: 'webhook', kind: 'webhook', words: `The webhook has taken no alarm ${saidOf(failing)}` }];
}

/** Whether the mail server takes no letter, and why. */
export async function foundOfMail(db: Statements): Promise<Found[]> {
  const failing = await failingMail(db);
  if (!failing) return [];
  return [{ key: 'mail', kind: 'mail', words: `The mail server has taken no letter ${saidOf(failing)}` }];
}

function saidOf({ since, waiting, status, answer, error }: Failing): string {
  const said = status === null ? (error ?? 'nobody knows why') : `it answers ${status} ${oneLine(answer ?? '')}`.trim();
  return `since ${since.toISOString()}, ${waiting} wait: ${said.slice(0, MOST_OF_AN_ANSWER)}`;
}

/** Queues a line about an alarm for the file and for the webhook, if there is one. */
export async function queueLine(tx: Tx, text: string): Promise<void> {
  await tx.run('insert into alarm_message (id, text, queued_at, due_at) values ($1, $2, $3, $3)', [newId(), text, tx.now]);
  const body: Body = { text };
  await publish(tx, { id: newId(), owner: 'alarms', type: 'alarm', body });
}

/** Writes lines that are due to the file; what can't be written is tried again. Gives how many were. */
export async function writeLines(db: Db, file: string): Promise<number> {
  // Claimed for a while, so that no other worker writes the same.
  const due = await db.rows<Message>(
    `update alarm_message set tries = tries + 1,
       due_at = clock_now() + least($2, 15 * 2 ^ least(tries, 10)) * interval '1 second'
     where id in (select id from alarm_message where due_at <= clock_now() order by id limit $1 for update skip locked)
     returning id, text, queued_at, tries`,
    [AT_ONCE, LONGEST_PAUSE_SECONDS],
    { name: 'alarms.claim' },
  );
  let written = 0;
  for (const message of due.toSorted((one, other) => (one.id < other.id ? -1 : 1))) {
    try {
      appendLine(file, message.queued_at, message.text);
      await db.run('delete from alarm_message where id = $1', [message.id]);
      written += 1;
    } catch (error) {
      log.warn('an alarm could not be written to its file', { tries: message.tries, error });
    }
  }
  return written;
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
