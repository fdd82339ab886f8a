// Server-sent events (WHATWG HTML §9.2): one answer that stays open; the id of an event is where a reader resumes.

import type { FastifyReply } from 'fastify';
import { Problem } from '@kurs/contract';

export type StreamEvent = { id: string; event: string; data: unknown };
export type EventStream = {
  /** The id the reader saw last (`Last-Event-ID`), if it resumes. */
  readonly lastEventId: string | undefined;
  /** Aborts when the reader has gone or the server closes. */
  readonly signal: AbortSignal;
  send(event: StreamEvent): void;
  end(): void;
};

const BEAT_MS = 15_000;
const MOST = 5_000;
/** A reader this far behind is cut off; it comes back with its last id. */
const BEHIND_BYTES = 256 * 1024;

export type EventStreams = {
  /** Answers with a stream. Throws `Problem('unavailable')` beyond 5 000 in this process: then readers poll. */
  open(reply: FastifyReply, headers: Record<string, string>): EventStream;
  closeAll(): void;
  readonly size: number;
};

/** Keeps the open streams of a process. */
export function createEventStreams(): EventStreams {
  const endings = new Set<() => void>();

  const open: EventStreams['open'] = (reply, headers) => {
    if (endings.size >= MOST) throw new Problem('unavailable', { retryAfter: 5 });
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
    endings.add(end);
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
    closeAll: () => endings.forEach((end) => end()),
    get size() {
      return endings.size;
    },
  };
}
