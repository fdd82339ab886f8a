import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { readMail } from './mime.ts';

/** A mail as its receiver has it. */
export interface Received {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** RFC 3339, when it arrived. */
  readonly at: string;
}

const KEPT = 5000;

/** The inbox of everybody. With a file, mails outlive the process: one JSON line each. */
export class Mailbox {
  readonly #file: string | undefined;
  #mails: Received[];

  constructor(file?: string) {
    this.#file = file;
    this.#mails =
      file !== undefined && existsSync(file) ? readFileSync(file, 'utf8').split('\n').flatMap(readLine).slice(-KEPT) : [];
  }

  /** Takes a raw message in for each of its receivers. */
  receive(raw: Buffer, receivers: readonly string[], at: Date): void {
    const mail = readMail(raw);
    for (const to of receivers) {
      const received = { to: to.toLowerCase(), ...mail, at: at.toISOString() };
      this.#mails.push(received);
      if (this.#file !== undefined) appendFileSync(this.#file, `${JSON.stringify(received)}\n`, { mode: 0o600 });
    }
    if (this.#mails.length > 2 * KEPT) this.#mails = this.#mails.slice(-KEPT);
  }

  /** What arrived at an address (or anywhere), newest first. */
  list(to?: string): Received[] {
    const wanted = to?.toLowerCase();
    return this.#mails.filter((mail) => wanted === undefined || mail.to === wanted).toReversed();
  }
}

/** A line that a kill cut short is no mail. */
function readLine(line: string): Received[] {
  try {
    return line === '' ? [] : [JSON.parse(line) as Received];
  } catch {
    return [];
  }
}
