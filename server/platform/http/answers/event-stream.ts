// Server-sent events (WHATWG HTML §9.2): an answer that stays open. After a disconnection the reader resumes after the last
// event id that it received.

import type { FastifyReply } from 'fastify';
import { Problem } from '@kurs/contract';

export type StreamEvent = { id: string; event: string; data: unknown };
export type EventStream = {
  /** Id of the last event that the reader has received (`Last-Event-ID`); undefined for a new reader. */
  readonly lastEventId: string | undefined;
  /** Aborts when the reader disconnects or the server closes. */
  readonly signal: AbortSignal;
  send(event: StreamEvent): void;
  end(): void;
};

/**
 * A stream that the caller may read. The permission is checked before the answer begins, so a refused call gets a normal error
 * answer.
 */
export type Followed = {
  /** Name of the order or account that the stream follows. The number of streams per name is limited. */
  readonly of: string;
  /** Sends events until the reader disconnects or loses the permission. If the permission is lost, ends the stream. */
  readonly report: (stream: EventStream) => Promise<void>;
};

const BEAT_MS = 15_000;
/** Maximum number of open streams of the process, of one network, and of one order or account. */
const MAX = { all: 5_000, ofNetwork: 200, ofOne: 8 } as const;
/**
 * Number of unsent bytes above which a slow reader is disconnected. The reader then resumes after the last event that it
 * received.
 */
const BEHIND_BYTES = 256 * 1024;

export type EventStreams = {
  /**
   * Begins a stream as the answer. `of`: name of the order or account that the stream follows. `network`: the reader's network;
   * undefined if streams of the network are not limited. Throws `Problem('unavailable')` above a limit, before the answer
   * begins; readers then poll instead.
   */
  open(reply: FastifyReply, headers: Record<string, string>, by: { of: string; network: string | undefined }): EventStream;
  closeAll(): void;
  readonly size: number;
};

/** Manages the open streams of a process. */
export function createEventStreams(): EventStreams {
  const endings = new Map<() => void, { readonly of: string; readonly network: string | undefined }>();

  const isFull = (by: { of: string; network: string | undefined }): boolean => {
    const alike = { of: 0, network: 0 };
    for (const { of, network } of endings.values()) {
      if (of === by.of) alike.of += 1;
      if (network !== undefined && network === by.network) alike.network += 1;
    }
    return endings.size >= MAX.all || alike.of >= MAX.ofOne || alike.network >= MAX.ofNetwork;
  };

  const open: EventStreams['open'] = (reply, headers, by) => {
    if (isFull(by)) throw new Problem('unavailable', { retryAfter: 5 });
    const given = reply.request.headers['last-event-id'];
    const gone = new AbortController();
    reply.hijack();
    const { raw } = reply;
    raw.writeHead(200, { ...headers, 'content-type': 'text/event-stream; charset=utf-8', 'x-accel-buffering': 'no' });
    raw.write('retry: 2000\n\n');
    const beat = setInterval(() => raw.write(': \n\n'), BEAT_MS);
    const end = (): void => {
      clearInterval(beat);
      endings.delete(end);
      gone.abort();
      raw.end();
    };
    endings.set(end, by);
    if (raw.destroyed) end();
    raw.on('close', end);
    raw.on('error', end);
    return {
      lastEventId: typeof given === 'string' ? given : undefined,
      signal: gone.signal,
      send({ id, event, data }) {
        if (gone.signal.aborted) return;
        raw.write(`id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
        if (raw.writableLength > BEHIND_BYTES) raw.destroy();
      },
      end,
    };
  };

  return {
    open,
    closeAll: () => [...endings.keys()].forEach((end) => end()),
    get size() {
      return endings.size;
    },
  };
}
