// Mail: letters are stored as rows in the transaction that they belong to, and delivered like all other deliveries.

import { createTransport, type SendMailOptions } from 'nodemailer';
import {
  type LetterContent,
  type Statements,
  type Tokens,
  type Tx,
  Unopened,
  canonicalEmail,
  monotonicMs,
  newId,
  sealerOf,
  wake,
  writeLetter,
} from '../platform/index.ts';
import { type StoredLetter, MARKED_LETTER, eventMac, isLetterAsQueued, letterMac } from './delivery-macs.ts';
import { type Failing, failingEndpoint } from './endpoints.ts';
import type { Channel } from './kind.ts';
import { type Outcome, altered } from './post.ts';
import { toEndpoints } from './publish.ts';

/** Sender of letters: the desk's name, the address of its site, and the tokens that make secret links. */
export interface Sender {
  readonly tokens: Tokens;
  readonly name: string;
  readonly url: string;
}

/** A letter: its receiver and its words. */
export interface Letter extends LetterContent {
  readonly to: string;
  /**
   * URL that unsubscribes from letters of this kind: it shows a page, and accepts a POST without the page. Absent for letters
   * that are always sent.
   */
  readonly offAt?: string | undefined;
  /** Key of the letter. Of several letters with the same key, only the first is queued. */
  readonly key: string;
}

/** Content of a letter. It is stored encrypted, since it may contain a code or a link. */
export interface LetterText {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly offAt?: string | undefined;
}

/** A decrypted letter, ready to send. The letter has the same id as its event. */
type Opened = LetterText & Pick<StoredLetter, 'id' | 'recipient' | 'locale'>;
type LetterRow = StoredLetter & { readonly mac: string | null };

/** Mail server and sender of letters. */
export interface Post {
  /** URL of the mail server. If it is empty, letters stay queued. */
  readonly smtpUrl: string;
  readonly from: { readonly name: string; readonly address: string };
  /** Host of the site, used in the Message-ID of letters. */
  readonly host: string;
}

/** Owner of the events of letters. Its only endpoint is the mail server, whose address each process knows by its settings. */
const OWNER = 'mail';
const TYPE = 'letter';
/** Maximum number of letters a day to an address that anybody can have typed. */
const TYPED_A_DAY = 3;
const DAY_MS = 86_400_000;
const BATCH_SIZE = 20;
const CONNECTIONS = 5;
const SMTP_TIMEOUT_MS = 15_000;
/** Seconds until the next attempt, by the number of attempts made. After the last one, the letter is given up. */
const BACKOFF_S = [5, 15, 60, 300, 900, 3_600, 10_800, 21_600, 43_200];

const QUEUE = `
  with queued as (
    insert into mail (id, key, recipient, locale, sealed, mac, queued_at)
    select id, key, recipient, locale, sealed, mac, $8 from unnest(
      $1::uuid[], $2::text[], $3::text[], $4::text[], $5::bytea[], $6::uuid[]) as given (id, key, recipient, locale, sealed, mac)
    on conflict (key) do nothing returning id
  ), published as (
    insert into delivery_event (id, owner, type, body, mac, at)
    select id, '${OWNER}', '${TYPE}', '{}', event.mac, $8 from queued join unnest($1::uuid[], $7::uuid[]) as event (id, mac) using (id)
    returning id, owner, type, at
  ) ${toEndpoints()}`;

const rowOf = ({ id, key, recipient, locale }: Omit<StoredLetter, 'sealed' | 'queuedAt'>): string[] => [
  'mail',
  id,
  key,
  recipient,
  locale,
];

/** Returns a letter as it is stored, with its content encrypted for its own row. */
function stored({ key, to: recipient, locale, ...letter }: Letter, queuedAt: Date): StoredLetter {
  const row = { id: newId(), key, recipient, locale };
  const said: LetterText = { ...writeLetter({ ...letter, locale }), offAt: letter.offAt };
  return { ...row, queuedAt, sealed: sealerOf('letters').seal(Buffer.from(JSON.stringify(said)), rowOf(row)) };
}

/** Decrypts the content of a letter. Throws `Unopened` if the content was changed or belongs to another row. */
export const opened = (row: StoredLetter): LetterText =>
  JSON.parse(sealerOf('letters').open(row.sealed, rowOf(row)).toString()) as LetterText;

export const mail = {
  /** Writes letters and queues them in the caller's transaction. */
  queue(tx: Tx, ...letters: readonly Letter[]): void {
    if (letters.length === 0) return;
    const rows = letters.map((letter) => stored(letter, tx.now));
    tx.write(
      QUEUE,
      [
        rows.map(({ id }) => id),
        rows.map(({ key }) => key),
        rows.map(({ recipient }) => recipient),
        rows.map(({ locale }) => locale),
        rows.map(({ sealed }) => sealed),
        rows.map(letterMac),
        rows.map(({ id }) => eventMac({ id, owner: OWNER, type: TYPE, body: {}, at: tx.now })),
        tx.now,
      ],
      { name: 'mail.queue' },
    );
    tx.afterCommit(() => wake('deliveries'));
  },

  /** Returns those of the keys for which a letter is stored, queued or sent. */
  async known(tx: Tx, keys: readonly string[]): Promise<Set<string>> {
    if (keys.length === 0) return new Set();
    const rows = await tx.rows<{ key: string }>('select key from mail where key = any ($1)', [keys], { name: 'mail.known' });
    return new Set(rows.map(({ key }) => key));
  },

  /**
   * Returns the keys of the letters that an address may still get today: at most three a day, since anybody can have typed it. Each
   * letter to such an address takes one of these keys.
   */
  async freeKeys(tx: Tx, address: string): Promise<string[]> {
    const day = Math.floor(tx.now.getTime() / DAY_MS);
    const keys = Array.from({ length: TYPED_A_DAY }, (_, at) => `buyer ${canonicalEmail(address)} ${day} ${at + 1}`);
    const used = await mail.known(tx, keys);
    return keys.filter((key) => !used.has(key));
  },

  /** Deletes the letters that were sent to an address, ignoring upper and lower case. Unsent letters stay until they are sent. */
  async forget(tx: Tx, to: string): Promise<void> {
    await tx.run(
      `with forgotten as (
         delete from mail where lower(recipient) = lower($1)
           and not exists (select from delivery where event_id = mail.id and due_at is not null)
         returning id
       )
       delete from delivery_event where id in (select id from forgotten)`,
      [to.trim()],
    );
  },
};

/** Returns the channel that hands each letter to the mail server. Without a mail server, letters wait. */
export function mailChannel({ smtpUrl, from, host }: Post): Channel {
  // Connections are pooled: opening one costs more than sending a letter.
  const transport = createTransport({ url: smtpUrl, pool: true, maxConnections: CONNECTIONS }, { from: { ...from } });
  const open = new Set<Promise<Outcome>>();
  return {
    kind: OWNER,
    pauseAfter: (tries) => BACKOFF_S[tries - 1],
    canSwitchOff: false,
    maxAtOnce: BATCH_SIZE,
    hasAddresses: false,
    async bodiesOf(tx, ids) {
      const letters = await tx.rows<LetterRow>(`select ${MARKED_LETTER} from mail where id = any($1)`, [ids], {
        name: 'mail.letters',
      });
      return new Map(letters.map((letter) => [letter.id, letter]));
    },
    async attempt({ body }) {
      const row = body as LetterRow | undefined;
      if (!row) return { answer: '', latencyMs: 0, error: 'the letter was deleted' };
      const letter = openedAsQueued(row);
      if (!letter) return altered('the letter was altered by SQL');
      const handing = handIn(() => transport.sendMail(messageOf(letter, host)));
      open.add(handing);
      return handing.finally(() => open.delete(handing));
    },
    // Waits for letters that are being sent. If the server accepted one without our knowledge, it would be sent twice.
    async close() {
      await Promise.all(open);
      transport.close();
    },
  };
}

/** Decrypts a letter; undefined if its row was changed by SQL. */
function openedAsQueued(row: LetterRow): Opened | undefined {
  if (!isLetterAsQueued(row)) return undefined;
  try {
    return { ...row, ...opened(row) };
  } catch (error) {
    if (error instanceof Unopened) return undefined;
    throw error;
  }
}

/** Id of the mail server's endpoint, the same in each installation. */
const ENDPOINT = '00000000-0000-7000-8000-000000000002';

/**
 * Returns the state of a failing mail server. Undefined while it accepts letters. Also undefined if all refused letters have the
 * same receiver, whose mailbox may be the cause.
 */
export async function failingMail(db: Statements): Promise<Failing | undefined> {
  const failing = await failingEndpoint(db, ENDPOINT);
  if (!failing || failing.waiting === 0) return undefined;
  if (failing.status === null) return failing;
  const row = await db.row<{ receivers: number }>(
    `select count(distinct lower(recipient))::int as receivers from delivery join mail on mail.id = event_id
     where endpoint_id = $1 and due_at is not null and tries > 0`,
    [ENDPOINT],
    { name: 'mail.refused' },
  );
  return row && row.receivers > 1 ? failing : undefined;
}

const MAX_OF_AN_ANSWER = 300;

/** Hands a letter to the mail server and returns the outcome; status codes are those of RFC 5321. */
async function handIn(send: () => Promise<{ readonly response: string }>): Promise<Outcome> {
  const begin = monotonicMs();
  const outcome = (said: string): Outcome => {
    const [code] = /^[2-5]\d\d\b/.exec(said) ?? [];
    const reported = { answer: said.slice(0, MAX_OF_AN_ANSWER), latencyMs: Math.round(monotonicMs() - begin) };
    return code === undefined
      ? { ...reported, answer: '', error: reported.answer }
      : { ...reported, status: Number.parseInt(code, 10) };
  };
  try {
    return outcome((await withTimeout(send(), SMTP_TIMEOUT_MS)).response);
  } catch (error) {
    const { response, command } = error as { response?: unknown; command?: unknown };
    const reported = outcome(typeof response === 'string' ? response : error instanceof Error ? error.message : String(error));
    return { ...reported, ...(isForGood(reported, command) && { isFinal: true }) };
  }
}

/**
 * True if the server refused a receiver or a letter for good: code 5yz after RCPT or DATA (RFC 5321, 4.2.1). After the greeting,
 * AUTH or MAIL, the same code concerns the sender instead.
 */
const isForGood = ({ status = 0 }: Outcome, command: unknown): boolean =>
  status >= 500 && (command === 'RCPT TO' || command === 'DATA');

/** Returns a letter in the form that nodemailer takes. */
function messageOf({ id, recipient, locale, subject, text, html, offAt }: Opened, host: string): SendMailOptions {
  const headers = { 'Content-Language': locale, 'Auto-Submitted': 'auto-generated', ...switchOf(offAt) };
  // nodemailer prevents header injection. The address is an object, so that it is never parsed as a list.
  return { to: { name: '', address: recipient }, subject, text, html, messageId: `<${id}@${host}>`, headers };
}

/**
 * Returns the headers by which a mail program unsubscribes: through a page in a browser (RFC 2369), or automatically (RFC 8058).
 */
const switchOf = (offAt: string | undefined): Record<string, string> =>
  offAt === undefined ? {} : { 'List-Unsubscribe': `<${offAt}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' };

/**
 * Sends one letter without the queue, so that it works while the database is unavailable. Throws if the mail server doesn't
 * accept the letter. Without a mail server, nothing is sent.
 */
export async function sendAtOnce({ smtpUrl, from, host }: Post, letter: Omit<Letter, 'key' | 'offAt'>): Promise<void> {
  if (!smtpUrl) return;
  const transport = createTransport({ url: smtpUrl }, { from: { ...from } });
  try {
    const { to: recipient, locale } = letter;
    const message = messageOf({ id: newId(), recipient, locale, ...writeLetter(letter) }, host);
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
