import { AppendFile } from '../../server/platform/files/append-file.ts';
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
  readonly #file: AppendFile | undefined;
  #mails: Received[];

  constructor(file?: string) {
    this.#file = file === undefined ? undefined : new AppendFile(file);
    this.#mails = [...(this.#file?.values<Received>() ?? [])].slice(-KEPT);
  }

  /** Takes a raw message in for each of its receivers. Throws where it can't be kept: then its sender keeps it. */
  receive(raw: Buffer, receivers: readonly string[], at: Date): void {
    const mail = readMail(raw);
    for (const to of receivers) {
      const received = { to: to.toLowerCase(), ...mail, at: at.toISOString() };
      this.#file?.append(`${JSON.stringify(received)}\n`);
      this.#mails.push(received);
    }
    if (this.#mails.length > 2 * KEPT) this.#mails = this.#mails.slice(-KEPT);
  }

  /** What arrived at an address (or anywhere), newest first. */
  list(to?: string): Received[] {
    const wanted = to?.toLowerCase();
    return this.#mails.filter((mail) => wanted === undefined || mail.to === wanted).toReversed();
  }
}
