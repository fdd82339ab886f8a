// Letters about withdrawals: the withdrawal was requested, has arrived or has failed.

import { holderById, letterTimes } from '../../auth/index.ts';
import { currencyOf, writeSum } from '../../payments/index.ts';
import { mail } from '../../deliveries/index.ts';
import { type Tx, letterWords, newId } from '../../platform/index.ts';
import type { Withdrawal } from './withdrawal.ts';

/**
 * Kind of letter. `kept`: the withdrawal was held back and waits for people again. `taken_back`: the withdrawal was turned
 * down, because a deposit or a reward was taken back.
 */
export type WithdrawalLetter = 'asked' | 'done' | 'failed' | 'rejected' | 'kept' | 'taken_back';

/**
 * Queues a letter to the holder about a withdrawal: sum, target and status. Queues none if the holder's row was changed by SQL.
 * `ip`: IP address from which the withdrawal was requested.
 */
export async function queueLetter(tx: Tx, name: string, one: Withdrawal, kind: WithdrawalLetter, ip?: string): Promise<void> {
  const holder = await holderById(tx, one.holderId);
  if (!holder) throw new Error(`The holder of the withdrawal ${one.id} is missing`);
  if (holder.isAltered) return;
  const { locale, email: to } = holder;
  const words = letterWords(locale, 'withdrawal', { name });
  const sumOf = (parts: bigint): string => writeSum({ ...one, parts }, locale);
  // The last letter states the sum that arrived, without the fee. Earlier letters state the whole sum that left the wallet.
  const sum = sumOf(kind === 'done' ? one.parts : one.parts + one.fee);
  const account = Object.values(one.to).join(' ');
  mail.queue(tx, {
    ...{ to, locale, name, key: `withdrawal ${newId()}` },
    subject: words(`${kind}.subject`, { sum }),
    paragraphs: [words(leadOf(one, kind), { sum })],
    facts: [
      ...(account === '' ? [] : [[words('to'), account] as const]),
      ...(one.fee === 0n ? [] : [[words('fee'), sumOf(one.fee)] as const]),
      [words('network'), currencyOf(one.currency)?.network ?? one.rail],
      [words('when'), letterTimes(holder)(tx.now)],
      ...(ip === undefined ? [] : [[words('from'), ip] as const]),
      ...(one.txid === undefined ? [] : [[words('txid'), one.txid] as const]),
    ],
    keep: words(kind === 'asked' ? 'not_you' : 'keep'),
  });
}

/**
 * Reasons for waiting that the letter states, because the holder can do something about them. For any other reason, the letter
 * only says that people check the withdrawal.
 */
const STORED_FOR: ReadonlySet<string> = new Set(['withdrawals_frozen', 'debt_open', 'not_on_allow_list', 'rewards_owed']);
/** Letters that state where the money has returned to: the wallet, or the rewards that it was taken from. */
const BACK: ReadonlySet<WithdrawalLetter> = new Set(['failed', 'rejected', 'taken_back']);

function leadOf(one: Withdrawal, kind: WithdrawalLetter): string {
  if (kind === 'asked' && one.people > 0) return 'asked.waits';
  if (kind === 'kept') return `kept.${STORED_FOR.has(one.reason ?? '') ? one.reason : 'lead'}`;
  if (one.source === 'affiliate' && BACK.has(kind)) return `${kind}.rewards`;
  // A withdrawal without an account has bought a voucher.
  return kind === 'done' && Object.keys(one.to).length === 0 ? 'done.voucher' : `${kind}.lead`;
}
