import { setTimeout as sleep } from 'node:timers/promises';
import type { Counterpart } from '../../../sandbox/counterpart.ts';
import type { Webhook, WebhookProof } from '../rail.ts';

const PATIENCE_MS = 15_000;
const PAUSE_MS = 10;

/** The first message that fits, now or within fifteen seconds. Throws where none comes. */
export async function messageOf<C extends Webhook>(messages: readonly C[], fits: (message: C) => boolean): Promise<C> {
  for (let waited = 0; waited < PATIENCE_MS; waited += PAUSE_MS) {
    const found = messages.find(fits);
    if (found) return found;
    await sleep(PAUSE_MS);
  }
  throw new Error('No such message came');
}

/**
 * A payment's messages whose first tries are all forged and whose later ones are true: makes the payment with two
 * copies of its message, ends the faults once two forged ones have come, and gives back what came forged and what came
 * true, once each copy was taken. A slow machine may get more forged ones first. `fits`: whether a message is of that payment.
 */
export async function forgedThenTrue<C extends Webhook & { readonly proof: WebhookProof }>(
  { messages, counterpart }: { readonly messages: readonly C[]; readonly counterpart: Pick<Counterpart, 'faults'> },
  pay: () => Promise<(message: C) => boolean>,
): Promise<{ readonly forged: C[]; readonly believed: C[] }> {
  counterpart.faults.set({ duplicates: 1, wrong_signatures: 1 });
  try {
    const fits = await pay();
    const came = (proven: boolean): C[] => messages.filter((message) => fits(message) && message.proof.proven === proven);
    await messageOf(messages, () => came(false).length >= 2);
    counterpart.faults.set({});
    await messageOf(messages, () => came(true).length >= 2);
    return { forged: came(false), believed: came(true) };
  } finally {
    counterpart.faults.set({});
  }
}

/** A good message's form, each time with one change under its words: what must not be believed. */
export function changedForms(
  changes: Readonly<Record<string, (form: URLSearchParams) => void>>,
): (good: Webhook) => { readonly why: string; readonly webhook: Webhook }[] {
  return ({ raw, headers }) =>
    Object.entries(changes).map(([why, change]) => {
      const form = new URLSearchParams(Buffer.from(raw).toString('utf8'));
      change(form);
      return { why, webhook: { raw: Buffer.from(form.toString()), headers } };
    });
}

/** What of an operator's settings is a secret, by its name. */
export function secretsIn(settings: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(settings).flatMap(([name, value]) => {
    if (typeof value === 'object' && value !== null) return secretsIn(value as Record<string, unknown>);
    return typeof value === 'string' && /secret|pass|key|token/i.test(name) ? [value] : [];
  });
}
