// Finds the affiliate of a reference.

import { type Reference, linkedReferences, readReference } from '@kurs/contract/reference';
import { holderOfReference } from '../auth/index.ts';
import { type Statements, monotonicMs } from '../platform/index.ts';
import { type Sender, campaignOf } from './campaigns.ts';

/** Returns the affiliate of a reference, or undefined. An unknown campaign counts as none. */
export async function senderOf(
  db: Statements,
  { code, campaign }: Pick<Reference, 'code' | 'campaign'>,
): Promise<Sender | undefined> {
  const holderId = await holderOfReference(db, code);
  return holderId === undefined ? undefined : senderOfHolder(db, holderId, campaign);
}

/** The same of a known affiliate. */
export async function senderOfHolder(db: Statements, holderId: string, campaign: string): Promise<Sender> {
  const isKnown = campaign !== '' && (await campaignOf(db, { holderId, campaign })) !== undefined;
  return { holderId, campaign: isKnown ? campaign : '' };
}

/** Returns the affiliate of a reference's text: the first that exists of those that it may name. */
export async function findSender(db: Statements, text: string): Promise<Sender | undefined> {
  for (const linked of linkedReferences(text)) {
    const reference = readReference(linked);
    const sender = reference && (await senderOf(db, reference));
    if (sender) return sender;
  }
  return undefined;
}

/** Milliseconds that a process caches an affiliate of a reference, and the maximum number of cached ones. */
const KNOWN_MS = 60_000;
const MAX_KNOWN = 10_000;

/** Like `senderOf`, from the cache of the last minute: for links, which are frequent. */
export function rememberedSenders(
  db: Statements,
): (reference: Pick<Reference, 'code' | 'campaign'>) => Promise<Sender | undefined> {
  const known = new Map<string, { readonly until: number; readonly sender: Promise<Sender | undefined> }>();
  return ({ code, campaign }) => {
    const key = `${code}.${campaign}`;
    const found = known.get(key);
    if (found && found.until > monotonicMs()) return found.sender;
    if (known.size >= MAX_KNOWN) known.clear();
    const sender = senderOf(db, { code, campaign });
    known.set(key, { until: monotonicMs() + KNOWN_MS, sender });
    sender.catch(() => known.delete(key));
    return sender;
  };
}
