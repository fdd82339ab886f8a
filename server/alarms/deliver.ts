// Deliveries of alarms other than mail: the file of all alarms, and the webhook.

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

const BATCH_SIZE = 20;
const LONGEST_PAUSE_SECONDS = 600;
/** Maximum length of the quoted answer of a webhook or mail server in an alarm, in characters. */
const MAX_OF_AN_ANSWER = 200;

interface Message {
  id: string;
  text: string;
  queued_at: Date;
  tries: number;
}

/** Body of a message for the webhook. */
interface Body {
  readonly text: string;
}

/** Id of the alarms' endpoint, the same in each installation. */
const ENDPOINT = '00000000-0000-7000-8000-000000000001';

/**
 * Webhooks about alarms, in the form of Telegram's `sendMessage`, which other services accept, too. They are unsigned. Operators
 * set the address, so a private one is allowed. A failed delivery is tried again until it is accepted, at intervals of at most
 * ten minutes.
 */
export const alarmWebhook: DeliveryKind = {
  kind: 'alarms',
  bodyOf: ({ body }) => JSON.stringify({ chat_id: settings.get('alarms.chat'), text: (body as Body).text }),
  headersOf: () => ({}),
  pauseAfter: (tries) => Math.min(LONGEST_PAUSE_SECONDS, 15 * 2 ** Math.min(tries, 10)),
  mayBePrivate: true,
  canSwitchOff: false,
  maxAtOnce: 1,
};

/**
 * Sets the address of the webhook's endpoint from the setting, or removes the endpoint if the setting is empty. Waiting messages
 * go to the new address.
 */
export async function storeWebhook(tx: Tx): Promise<void> {
  const url = await settings.read(tx, 'alarms.webhook');
  if (url === '') await removeEndpoint(tx, ENDPOINT);
  else await putEndpoint(tx, { id: ENDPOINT, owner: 'alarms', kind: alarmWebhook.kind, url });
}

/** Returns a finding if the webhook accepts no messages. */
export async function foundOfWebhook(db: Statements): Promise<Found[]> {
  const failing = await failingEndpoint(db, ENDPOINT);
  if (!failing) return [];
  return [{ key: 'webhook', kind: 'webhook', words: `The webhook has taken no alarm ${saidOf(failing)}` }];
}

/** Returns a finding if the mail server accepts no letters. */
export async function foundOfMail(db: Statements): Promise<Found[]> {
  const failing = await failingMail(db);
  if (!failing) return [];
  return [{ key: 'mail', kind: 'mail', words: `The mail server has taken no letter ${saidOf(failing)}` }];
}

function saidOf({ since, waiting, status, answer, error }: Failing): string {
  const said = status === null ? (error ?? 'nobody knows why') : `it answers ${status} ${oneLine(answer ?? '')}`.trim();
  return `since ${since.toISOString()}, ${waiting} wait: ${said.slice(0, MAX_OF_AN_ANSWER)}`;
}

/** Queues a line about an alarm for the file, and for the webhook if there is one. */
export async function queueLine(tx: Tx, text: string): Promise<void> {
  await tx.run('insert into alarm_message (id, text, queued_at, due_at) values ($1, $2, $3, $3)', [newId(), text, tx.now]);
  const body: Body = { text };
  await publish(tx, { id: newId(), owner: 'alarms', type: 'alarm', body });
}

/** Writes due lines to the file, and returns how many were written. A line that can't be written is tried again later. */
export async function writeLines(db: Db, file: string): Promise<number> {
  // Claims the lines for a while, so that no other worker writes the same lines.
  const due = await db.rows<Message>(
    `update alarm_message set tries = tries + 1,
       due_at = clock_now() + least($2, 15 * 2 ^ least(tries, 10)) * interval '1 second'
     where id in (select id from alarm_message where due_at <= clock_now() order by id limit $1 for update skip locked)
     returning id, text, queued_at, tries`,
    [BATCH_SIZE, LONGEST_PAUSE_SECONDS],
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

/** Appends a line to the file of all alarms. */
export function appendLine(file: string, at: Date, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  const lines = new AppendFile(file);
  try {
    lines.append(`${at.toISOString()} ${text.replaceAll('\n', ' ')}\n`);
  } finally {
    lines.close();
  }
}
