import { readReference } from '@kurs/contract/reference';
import type { Statements } from '../platform/index.ts';
import { findSender } from './reference.ts';
import type { Visit } from './sent.ts';
import { bindingMs } from './settings.ts';

/** Returns the visit of a reference; undefined for an unknown one, and for an expired click. */
export async function visitOf(db: Statements, text: string, now: Date): Promise<Visit | undefined> {
  const reference = readReference(text);
  const sender = reference && (await findSender(db, text));
  if (!sender) return undefined;
  const at = reference.at === undefined || reference.at > now ? now : reference.at;
  if (at.getTime() + bindingMs() <= now.getTime()) return undefined;
  return { affiliate: sender.holderId, campaign: sender.campaign, sub: reference.sub, at };
}
