import { AppendFile } from '../../server/platform/files/append-file.ts';
import { readMail } from './mime.ts';

/** Mail as its receiver sees it. */
export interface Received {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** Time of arrival, RFC 3339. */
  readonly at: string;
}

const RETAINED = 5000;

/** Inbox of all receivers. With a file, mails outlive the process: one JSON line each. */
export class Mailbox {
  readonly #file: AppendFile | undefined;
  #mails: Received[];

  constructor(file?: string) {
    this.#file = file === undefined ? undefined : new AppendFile(file);
    this.#mails = [...(this.#file?.values<Received>() ?? [])].slice(-RETAINED);
  }

  /** Stores a raw message for each of its receivers. Throws if it can't be stored, so that its sender keeps it. */
  receive(raw: Buffer, receivers: readonly string[], at: Date): void {
    const mail = readMail(raw);
    for (const to of receivers) {
      const received = { to: to.toLowerCase(), ...mail, at: at.toISOString() };
      this.#file?.append(`${JSON.stringify(received)}\n`);
      this.#mails.push(received);
    }
    if (this.#mails.length > 2 * RETAINED) this.#mails = this.#mails.slice(-RETAINED);
  }

  /** Returns the mails of an address, or all mails, newest first. */
  list(to?: string): Received[] {
    const wanted = to?.toLowerCase();
    return this.#mails.filter((mail) => wanted === undefined || mail.to === wanted).toReversed();
  }
}
