// Letters about deposits: a person checks, releases or refunds the deposit, or requests papers; a rail took the payment back,
// or paid it again; a debt for the deposit is settled.

import { holderById, letterTimes } from '../../auth/index.ts';
import { currencyName, currencyOf, writeSum } from '../../payments/index.ts';
import { mail } from '../../deliveries/index.ts';
import { type Tx, letterWords, newId } from '../../platform/index.ts';
import type { Deposit } from './deposit.ts';

/** The event of a deposit that a letter reports, and the amount that the event concerns. */
export interface DepositNews {
  readonly kind: 'held' | 'papers' | 'released' | 'given_back' | 'reversed' | 'back' | 'settled';
  readonly parts: bigint;
  /** For a payment that arrived again: the part of the payment that settled a debt. */
  readonly settled?: bigint;
}

/**
 * Returns the event that a step of a deposit causes a letter about; undefined if there is none. `parts`: the amount that a rail
 * took back or paid again.
 */
export function newsOf(before: Deposit, after: Deposit, parts: bigint): DepositNews | undefined {
  const hasLeft = before.status === 'returning' && after.status !== 'returning' && after.backId !== undefined;
  if (hasLeft) return { kind: 'given_back', parts: after.backParts ?? 0n };
  if (before.status !== 'checking' && after.status === 'checking') return { kind: 'held', parts: after.uncleared };
  if (before.status === 'checking' && (after.status === 'final' || after.status === 'maturing'))
    return { kind: 'released', parts: before.uncleared };
  if (parts === 0n) return undefined;
  const hadGone = before.status === 'reversed' || before.taken > 0n;
  if (after.status === 'reversed' || after.taken > before.taken || after.owed > before.owed) return { kind: 'reversed', parts };
  return hadGone && after.status !== 'seen' ? { kind: 'back', parts, settled: before.owed - after.owed } : undefined;
}

/**
 * Queues the letter about an event of a deposit. `name`: the product's name. The letter never states why a person checks the
 * deposit, since the holder must not be told.
 */
export async function queueDepositLetter(
  tx: Tx,
  name: string,
  one: Deposit,
  { kind, parts, settled = 0n }: DepositNews,
): Promise<void> {
  const holder = await holderById(tx, one.holderId);
  if (!holder) throw new Error(`The holder of the deposit ${one.payinId} is missing`);
  if (holder.isAltered) return;
  const { locale, email: to } = holder;
  const sumOf = (sum: bigint): string => writeSum({ ...one, parts: sum }, locale);
  const at = letterTimes(holder);
  const until = one.freeAt === undefined ? '' : at(one.freeAt);
  const blanks = { name, sum: sumOf(parts), owed: sumOf(one.owed), settled: sumOf(settled), until };
  const words = letterWords(locale, 'deposit', blanks);
  const more = {
    held: [],
    papers: [],
    released: [],
    given_back: [],
    reversed: [one.owed > 0n ? 'reversed.owed' : 'reversed.left'],
    back: settled > 0n ? ['back.settled'] : [],
    settled: [one.owed > 0n ? 'settled.rest' : 'settled.even'],
  }[kind];
  const waits = kind === 'released' && one.status === 'maturing';
  mail.queue(tx, {
    ...{ to, locale, name, key: `deposit ${newId()}` },
    subject: words(waits ? 'released.subject_waits' : `${kind}.subject`),
    paragraphs: [words(waits ? 'released.waits' : `${kind}.lead`), ...more.map((key) => words(key))],
    facts: [
      [words('network'), currencyOf(one.currency)?.network ?? currencyName(one.currency)],
      [words('when'), at(tx.now)],
      ...(one.txid === '' ? [] : [[words('txid'), one.txid] as const]),
    ],
    keep: words('keep'),
  });
}
