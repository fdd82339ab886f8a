import type { Attempt, Sent } from '../rail.ts';

/**
 * Sends an attempt once at a time: anyone who asks for it while it is under way gets the same answer. Of two that look first
 * at once both would find nothing, and both would send.
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
