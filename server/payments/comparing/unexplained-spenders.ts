import { type Tx, log } from '../../platform/index.ts';
import type { Attempt, Payout as PayoutRail } from '../../rails/rail.ts';
import { type PaymentsDeps, within } from '../rails/deps.ts';
import type { RailAnswer } from '../payouts/machine/payout.ts';
import { type StoredAttempt, namesOfAttempts } from '../payouts/rows/attempt-store.ts';
import { type FoundSend, namesOfUnrecorded, noteUnrecorded } from '../unrecorded/unrecorded-sends.ts';

/**
 * If an answer says that a send can never happen, adds the transaction that rules the send out. If that transaction can't be read
 * now, returns an answer that proves nothing.
 */
export async function withSpender(
  { callMs }: Pick<PaymentsDeps, 'callMs'>,
  rail: string,
  payout: PayoutRail,
  attempt: Attempt,
  answer: RailAnswer,
): Promise<RailAnswer> {
  const { said } = answer;
  const isOver = said.outcome === 'absent' ? said.isConclusive : said.outcome === 'refused';
  if (!isOver || !payout.ruledOutBy) return answer;
  try {
    const by = await within(callMs, `${rail} ruled out by`, async () => payout.ruledOutBy?.(attempt));
    return by === undefined ? provingNothing(answer) : { ...answer, by };
  } catch (error) {
    log.warn('the transaction that rules a send out could not be read', {
      rail,
      reference: attempt.reference,
      error: String(error),
    });
    return provingNothing(answer);
  }
}

/**
 * Returns answers that are safe to conclude from. On a chain, a send is ruled out when another transaction has spent its inputs.
 * If the books don't know that transaction, it may have paid the same payouts. It is then stored for two people, and the answer
 * is replaced by one that proves nothing. Until they decide, the send doesn't fail and nothing is paid again.
 */
export async function concludable(
  tx: Tx,
  rail: string,
  attempts: readonly StoredAttempt[],
  answers: ReadonlyMap<string, RailAnswer>,
): Promise<ReadonlyMap<string, RailAnswer>> {
  const ruledOut = attempts.flatMap((attempt) => {
    const by = answers.get(attempt.id)?.by;
    return by === undefined ? [] : [{ attempt, by }];
  });
  if (ruledOut.length === 0) return answers;
  const known = await knownSpenders(
    tx,
    rail,
    ruledOut.map(({ by }) => by),
  );
  const unknown = ruledOut.filter(({ by }) => !known.has(by));
  await noteUnrecorded(
    tx,
    unknown.map(({ attempt, by }) => foundOf(rail, attempt, by)),
  );
  const changed = new Map(answers);
  for (const { attempt } of unknown) changed.set(attempt.id, provingNothing(answers.get(attempt.id) as RailAnswer));
  return changed;
}

const provingNothing = ({ of, said }: RailAnswer): RailAnswer =>
  of === 'find'
    ? { of, said: { outcome: 'absent', isConclusive: false } }
    : { of, said: { outcome: 'unknown', reason: 'reason' in said ? said.reason : '' } };

/** Returns those of the given transactions that an attempt in the books has, or that people have decided about. */
async function knownSpenders(tx: Tx, rail: string, spenders: readonly string[]): Promise<ReadonlySet<string>> {
  const [ofAttempts, decided] = [
    await namesOfAttempts(tx, rail, spenders),
    await namesOfUnrecorded(tx, rail, spenders, { isDecided: true }),
  ];
  return new Set([...ofAttempts, ...decided]);
}

function foundOf(rail: string, { signed, purpose }: StoredAttempt, by: string): FoundSend {
  const { nonce, spends, items } = signed;
  return {
    ...{ rail, source: 'chain', reference: by },
    ...(spends[0] !== undefined && { spend: spends[0] }),
    ...(nonce !== undefined && purpose !== 'collect' && { nonces: { first: nonce, last: nonce } }),
    ...(items.length === 1 && { payoutId: items[0] }),
  };
}
