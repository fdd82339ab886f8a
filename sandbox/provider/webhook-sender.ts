import { setTimeout as sleep } from 'node:timers/promises';
import type { Faults } from '../faults.ts';

/** Message that a provider sends until its receiver accepts it. */
export interface Message {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
  /** Message with a wrong signature, sent instead of the true one by the fault `wrong_signatures`. */
  readonly forged?: { readonly headers?: Readonly<Record<string, string>>; readonly body: string };
  /** Returns true if the receiver's answer accepts the message. If absent, any 2xx does. */
  readonly isTaken?: (status: number, text: string) => boolean;
}

/** Pauses before attempts, in seconds; after the last one the provider gives up. */
const PAUSES = [0, 1, 2, 4, 8, 15, 30, 60, 120, 300, 600];
const TIMEOUT_MS = 10_000;

/** Sends messages in the background, with its counterpart's faults: late, twice, forged, or never. */
export class WebhookSender {
  readonly #faults: Faults;
  readonly #ended = new AbortController();
  readonly #running = new Set<Promise<void>>();

  constructor(faults: Faults) {
    this.#faults = faults;
  }

  /** Sends a message in the background until it is accepted. */
  send(message: Message): void {
    const { rates } = this.#faults;
    const copies = this.#faults.strikes(rates.duplicates) ? 2 : 1;
    for (let copy = 0; copy < copies; copy += 1) this.#run(this.#deliver(message));
  }

  /** Stops immediately: messages that were not accepted are dropped. */
  async close(): Promise<void> {
    this.#ended.abort();
    await Promise.allSettled(this.#running);
  }

  #run(work: Promise<void>): void {
    const settled = work.catch(() => {}).finally(() => this.#running.delete(settled));
    this.#running.add(settled);
  }

  async #deliver(message: Message): Promise<void> {
    for (const seconds of PAUSES) {
      const late = this.#faults.strikes(this.#faults.rates.delays) ? this.#faults.rates.delay_ms : 0;
      await sleep(seconds * 1_000 + late, undefined, { signal: this.#ended.signal, ref: false });
      // A lost message is repeated like one that was not accepted.
      if (this.#faults.strikes(this.#faults.rates.lost_replies)) continue;
      const isForged = message.forged && this.#faults.strikes(this.#faults.rates.wrong_signatures);
      if (await this.#once(isForged ? { ...message, ...message.forged } : message)) return;
    }
  }

  async #once({ url, headers = {}, body, isTaken = (status) => status >= 200 && status < 300 }: Message): Promise<boolean> {
    try {
      const signal = AbortSignal.any([this.#ended.signal, AbortSignal.timeout(TIMEOUT_MS)]);
      const response = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal });
      return isTaken(response.status, await response.text());
    } catch {
      return false;
    }
  }
}
