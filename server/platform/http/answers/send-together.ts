import type { ServerResponse } from 'node:http';

/** Answers that are ready to send at the end of this turn of the event loop. */
const ready: { readonly response: ServerResponse; readonly body: string | Buffer }[] = [];

/**
 * Sends an answer together with all other answers that become ready in this turn of the event loop. Sending wakes the receiving
 * process, which costs more than computing an answer. Several answers that are sent together wake it once.
 */
export function sendTogether(response: ServerResponse, body: string | Buffer): void {
  if (ready.push({ response, body }) === 1) setImmediate(sendAll);
}

function sendAll(): void {
  for (const { response, body } of ready.splice(0)) response.end(body);
}
