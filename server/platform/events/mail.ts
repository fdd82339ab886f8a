// Mail: letters are rows, written in the transaction they belong to and sent by the worker, so that no request waits for SMTP.

import { createTransport, type SendMailOptions, type Transporter } from 'nodemailer';
import { type Db, SOFT, type Tx } from '../db/db.ts';
import { newId } from '../base/id.ts';
import { type LetterParts, writeLetter } from './letter.ts';
import { log } from '../base/log.ts';
import { every, type Sweeper } from '../base/sweeper.ts';

/** What a letter says, to whom. */
export interface Letter extends LetterParts {
  readonly to: string;
  /** Address where letters of this kind are switched off, by opening it or by a POST alone; none where they always come. */
  readonly offAt?: string | undefined;
  /** The same key is the same letter: queued once. */
  readonly key: string;
}

/** A letter as it is kept. */
interface Row {
  id: string;
  recipient: string;
  locale: Letter['locale'];
  subject: string;
  text: string;
  html: string;
  off_at: string | null;
  tries: number;
}

/** Where letters are handed in, and who they are from. */
export interface Post {
  /** Empty for none: letters stay queued. */
  readonly smtpUrl: string;
  readonly from: { readonly name: string; readonly address: string };
  /** The host of the site: what stands behind the @ of a letter's Message-ID. */
  readonly host: string;
}

const LOOK_MS = 250;
const AT_ONCE = 20;
const CONNECTIONS = 5;
const SMTP_TIMEOUT_MS = 15_000;
/** Seconds until the next try; after the last one the letter is given up and alarms. */
const BACKOFF_S = [5, 15, 60, 300, 900, 3_600, 10_800, 21_600, 43_200, 86_400];

export const mail = {
  /** Writes a letter and queues it in the caller's transaction. */
  async queue(tx: Tx, letter: Letter): Promise<void> {
    const { to, locale, offAt, key } = letter;
    const { subject, text, html } = writeLetter(letter);
    await tx.run(
      `insert into mail (id, key, recipient, locale, subject, text, html, queued_at, due_at, switched_off_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $8, $9) on conflict (key) do nothing`,
      [newId(), key, to, locale, subject, text, html, tx.now, offAt ?? null],
      { name: 'mail.queue' },
    );
  },

  /** Forgets the letters that were sent to an address, however it was written; what is still to be sent stays until it is. */
  async forget(tx: Tx, to: string): Promise<void> {
    await tx.run('delete from mail where lower(recipient) = lower($1) and sent_at is not null', [to.trim()]);
  },
};

export type Postman = {
  /** Sends what is due now; gives how many were handed over. */
  deliver(): Promise<number>;
  stop(): Promise<void>;
};

/** Sends due letters by `smtpUrl` as they fall due and on `deliver()`. Without one letters stay queued, which is logged. */
export function runMail(db: Db, { smtpUrl, from, host }: Post): Postman {
  if (!smtpUrl) {
    log.warn('SMTP_URL is not set: mail stays queued');
    return { deliver: async () => 0, stop: async () => {} };
  }
  // Connections are kept: to open one costs more than a letter does.
  const transport = createTransport({ url: smtpUrl, pool: true, maxConnections: CONNECTIONS }, { from: { ...from } });
  let running: Promise<number> | undefined;
  const deliver = (): Promise<number> => (running ??= deliverAll(db, transport, host).finally(() => (running = undefined)));
  const sweeper: Sweeper = every(LOOK_MS, 'mail', deliver);
  return {
    deliver,
    async stop() {
      await sweeper.stop();
      transport.close();
    },
  };
}

async function deliverAll(db: Db, transport: Transporter, host: string): Promise<number> {
  let sent = 0;
  for (;;) {
    const letters = await claim(db);
    if (letters.length === 0) return sent;
    const outcomes = await Promise.all(letters.map((letter) => send(db, transport, letter, host)));
    sent += outcomes.filter(Boolean).length;
  }
}

/**
 * Takes due letters by moving their due time on before they are sent (no transaction may be open on the network): a
 * worker that dies in between sends the letter again later. A letter twice is better than none, so nothing here waits
 * for the disk.
 */
function claim(db: Db): Promise<Row[]> {
  return db.rows<Row>(
    `update mail set tries = tries + 1, due_at = clock_now() + ($2::int[])[least(tries + 1, $3)] * interval '1 second'
     from ${SOFT} where id in (select id from mail where due_at <= clock_now() order by due_at limit $1 for update skip locked)
     returning id, recipient, locale, subject, text, html, switched_off_at as off_at, tries`,
    [AT_ONCE, BACKOFF_S, BACKOFF_S.length],
    { name: 'mail.claim' },
  );
}

async function send(db: Db, transport: Transporter, letter: Row, host: string): Promise<boolean> {
  const { id, tries } = letter;
  try {
    const result = await withTimeout(transport.sendMail(messageOf(letter, host)), SMTP_TIMEOUT_MS);
    await db.run(
      `update mail set sent_at = clock_now(), due_at = null, message_id = $2, last_error = null from ${SOFT} where id = $1`,
      [id, result.messageId],
      { name: 'mail.sent' },
    );
    return true;
  } catch (error) {
    const isLast = tries >= BACKOFF_S.length;
    await db.run(`update mail set last_error = $2, due_at = case when $3 then null else due_at end where id = $1`, [
      id,
      (error instanceof Error ? error.message : String(error)).slice(0, 500),
      isLast,
    ]);
    if (isLast) log.alarm('mail given up', { mailId: id, tries, error });
    else log.warn('mail not sent, trying again', { mailId: id, tries, error });
    return false;
  }
}

/** A letter as nodemailer takes it. */
function messageOf(
  { id, recipient, locale, subject, text, html, off_at: offAt }: Omit<Row, 'tries'>,
  host: string,
): SendMailOptions {
  const headers = { 'Content-Language': locale, 'Auto-Submitted': 'auto-generated', ...switchOf(offAt) };
  // Header injection is nodemailer's to prevent; an address is passed as an object, so that it is never parsed as a list.
  return { to: { name: '', address: recipient }, subject, text, html, messageId: `<${id}@${host}>`, headers };
}

/** How a mail program switches letters of a kind off: by the address in a browser (RFC 2369), or by itself (RFC 8058). */
const switchOf = (offAt: string | null): Record<string, string> =>
  offAt === null ? {} : { 'List-Unsubscribe': `<${offAt}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' };

/**
 * Sends one letter past the queue, for what must be said while the database is away. Throws if the mail server doesn't take
 * it; without one nothing is sent.
 */
export async function sendAtOnce({ smtpUrl, from, host }: Post, letter: Omit<Letter, 'key' | 'offAt'>): Promise<void> {
  if (!smtpUrl) return;
  const transport = createTransport({ url: smtpUrl }, { from: { ...from } });
  try {
    const { to: recipient, locale } = letter;
    const message = messageOf({ id: newId(), recipient, locale, ...writeLetter(letter), off_at: null }, host);
    await withTimeout(transport.sendMail(message), SMTP_TIMEOUT_MS);
  } finally {
    transport.close();
  }
}

async function withTimeout<T>(work: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, fail) => {
    timer = setTimeout(() => fail(new Error(`no answer of the mail server within ${ms} ms`)), ms);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
