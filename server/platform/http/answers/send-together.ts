import type { ServerResponse } from 'node:http';

/** Answers that are sent once everything that arrived with them was handled. */
const ready: { readonly response: ServerResponse; readonly body: string | Buffer }[] = [];

/**
 * Ends an answer together with all others that are ready in this turn of the event loop. The first one wakes the reader, and
 * waking a process costs more than an answer. A single answer is not delayed.
 */
export function sendTogether(response: ServerResponse, body: string | Buffer): void {
  if (ready.push({ response, body }) === 1) setImmediate(sendAll);
}

function sendAll(): void {
  for (const { response, body } of ready.splice(0)) response.end(body);
}
