import type { Attempt, Sent } from '../rail.ts';

/**
 * Returns a `send` that sends an attempt once at a time: calls for the same attempt during a send get the answer of that send.
 * Otherwise two concurrent calls could both look the attempt up, find nothing, and both send it.
 */
export function oneAtATime(send: (attempt: Attempt) => Promise<Sent>): (attempt: Attempt) => Promise<Sent> {
  const sending = new Map<string, Promise<Sent>>();
  return (attempt) => {
    const { reference } = attempt;
    const running = sending.get(reference);
    if (running) return running;
    const sent = send(attempt).finally(() => sending.delete(reference));
    sending.set(reference, sent);
    return sent;
  };
}
