import { setTimeout as sleep } from 'node:timers/promises';
import type { Counterpart } from '../../../sandbox/counterpart.ts';
import type { Webhook, WebhookProof } from '../rail.ts';

const PATIENCE_MS = 15_000;
const PAUSE_MS = 10;

/** Returns the first message that fits, now or within fifteen seconds. Throws an Error if none comes. */
export async function messageOf<C extends Webhook>(messages: readonly C[], fits: (message: C) => boolean): Promise<C> {
  for (let waited = 0; waited < PATIENCE_MS; waited += PAUSE_MS) {
    const found = messages.find(fits);
    if (found) return found;
    await sleep(PAUSE_MS);
  }
  throw new Error('No such message came');
}

/**
 * Makes a payment whose message comes in two copies, each with a forged signature until two forged ones have come. Then waits for
 * two true ones. Returns both kinds; a slow machine may get more forged ones. `pay` returns a function that recognises the
 * payment's messages.
 */
export async function forgedThenTrue<C extends Webhook & { readonly proof: WebhookProof }>(
  { messages, counterpart }: { readonly messages: readonly C[]; readonly counterpart: Pick<Counterpart, 'faults'> },
  pay: () => Promise<(message: C) => boolean>,
): Promise<{ readonly forged: C[]; readonly believed: C[] }> {
  counterpart.faults.set({ duplicates: 1, wrong_signatures: 1 });
  try {
    const fits = await pay();
    const came = (proven: boolean): C[] => messages.filter((message) => fits(message) && message.proof.isProven === proven);
    await messageOf(messages, () => came(false).length >= 2);
    counterpart.faults.set({});
    await messageOf(messages, () => came(true).length >= 2);
    return { forged: came(false), believed: came(true) };
  } finally {
    counterpart.faults.set({});
  }
}

/** Returns messages that must not be believed: a good message's form, each with one change and its description. */
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

/** Returns the secrets in an operator's settings, found by the names of the fields. */
export function secretsIn(settings: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(settings).flatMap(([name, value]) => {
    if (typeof value === 'object' && value !== null) return secretsIn(value as Record<string, unknown>);
    return typeof value === 'string' && /secret|pass|key|token/i.test(name) ? [value] : [];
  });
}
