import type { ServerResponse } from 'node:http';

/** Answers whose bodies go out once all that had arrived with them was looked at. */
const ready: { readonly response: ServerResponse; readonly body: string | Buffer }[] = [];

/**
 * Ends an answer, together with all that become ready in this turn of the event loop: who waits is woken by the first, and to
 * wake a process costs more than an answer does. One that is alone waits for nothing.
 */
export function sendTogether(response: ServerResponse, body: string | Buffer): void {
  if (ready.push({ response, body }) === 1) setImmediate(sendAll);
}

function sendAll(): void {
  for (const { response, body } of ready.splice(0)) response.end(body);
}
