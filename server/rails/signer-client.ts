import { type Socket, createConnection } from 'node:net';
import { createInterface } from 'node:readline';
import type { Signer } from './rail.ts';
import type { SignedEntry } from './signed-entry.ts';
import type { SignAnswer, SignerHealth } from './signer.ts';

/** A `Signer` that calls the signer process over its unix socket: one JSON object a line, matched by `id`. */
export interface SignerClient extends Required<Signer> {
  /** Returns the signer's status, after answering earlier requests. Throws if there is no answer. */
  health(): Promise<SignerHealth>;
  close(): void;
}

type Answer = SignAnswer | SignerHealth | { readonly lines: readonly SignedEntry[] };

interface Waiting {
  readonly done: (answer: Answer) => void;
  readonly failed: (error: Error) => void;
}

/** Timeout of a call. Signing takes milliseconds, so a signer that is silent for longer counts as gone. */
const PATIENCE_MS = 10_000;

/**
 * Opens a client. It connects at its first call, and again after the signer was restarted. Calls throw if there is no answer.
 * Repeating `sign` is safe, since the signer never signs two transactions for a payout that could both happen.
 */
export function openSigner(socketPath: string): SignerClient {
  const waiting = new Map<number, Waiting>();
  let socket: Socket | undefined;
  let last = 0;

  const lost = (gone: Socket, why: string): void => {
    gone.destroy();
    if (socket !== gone) return;
    socket = undefined;
    for (const { failed } of waiting.values()) failed(new Error(`The signer is away: ${why}`));
    waiting.clear();
  };
  const connect = (): Socket => {
    const opened = createConnection(socketPath);
    opened.unref();
    opened.on('error', (error) => lost(opened, error.message));
    opened.on('close', () => lost(opened, 'closed'));
    createInterface({ input: opened })
      .on('line', (line) => {
        const { id, ...answer } = JSON.parse(line) as { id: number } & Answer;
        waiting.get(id)?.done(answer as Answer);
        waiting.delete(id);
      })
      .on('error', () => lost(opened, 'unreadable'));
    return opened;
  };
  const ask = (request: object): Promise<Answer> =>
    new Promise((done, failed) => {
      const used = (socket ??= connect());
      last += 1;
      const id = last;
      const timer = setTimeout(() => lost(used, 'no answer'), PATIENCE_MS);
      const settle =
        <A>(with_: (value: A) => void) =>
        (value: A): void => {
          clearTimeout(timer);
          with_(value);
        };
      waiting.set(id, { done: settle(done), failed: settle(failed) });
      used.write(`${JSON.stringify({ id, ...request })}\n`);
    });
  return {
    sign: (request) => ask(request) as Promise<SignAnswer>,
    signed: async (rail, payouts) => {
      const answer = (await ask({ ask: 'signed', rail, payouts })) as Partial<{ lines: readonly SignedEntry[] }>;
      if (!answer.lines) throw new Error('The signer does not say what it has signed');
      return answer.lines;
    },
    health: () => ask({ ask: 'health' }) as Promise<SignerHealth>,
    close: () => {
      if (socket) lost(socket, 'closed by us');
    },
  };
}
