/**
 * Rules of the signer. Pure: the input is a transaction's effect (read by the rail's own code from the bytes), the payouts in the
 * database, and earlier signatures; the answer is yes or a reason.
 *
 * 1. Every output is an approved payout of the request (exact currency, account and sum, each once) or stays our own.
 * 2. The network's fee stays within the rail's cap.
 * 3. The amount that leaves for good in 24 hours, fees included, stays within each currency's cap.
 * 4. A payout signed before is signed again only by a transaction that excludes all earlier ones, or once the chain itself shows
 * the signer that those can never be mined (TRON: expired, and not in the solid chain).
 * 5. A spend that an unfinished payout was signed with isn't given to others: they wait until it has ended.
 */
import type { Fields } from './rail.ts';
import type { SignedEntry } from './signed-entry.ts';
import type { Reading, SignRequest } from './signer.ts';

export type { SignedEntry } from './signed-entry.ts';

/** A payout in the database. */
export interface ApprovedPayout {
  readonly id: string;
  readonly rail: string;
  readonly currency: string;
  readonly to: Fields;
  readonly parts: bigint;
  readonly status: string;
}

export interface SigningLimits {
  /** Maximum minor units of a currency that may leave within 24 hours. A currency without a cap doesn't leave at all. */
  readonly daily: ReadonlyMap<string, bigint>;
  /** Maximum minor units that one transaction of this rail may pay the network. */
  readonly maxFee: bigint;
}

export interface Question {
  readonly request: Pick<SignRequest, 'rail' | 'purpose' | 'payouts'>;
  readonly reading: Reading;
  /** The receiver of a payout as the rail spells it in a reading. */
  readonly account: (payout: ApprovedPayout) => string | undefined;
  /** The payouts of the request, and those of earlier transactions that share a spend, by id. */
  readonly payouts: ReadonlyMap<string, ApprovedPayout>;
  /** Earlier transactions that share a spend or a payout with this one. */
  readonly related: readonly SignedEntry[];
  /** Txids of earlier transactions that can never happen any more, as the signer itself has found on their chain. */
  readonly over?: ReadonlySet<string>;
  /** Everything signed in the last 24 hours. */
  readonly recent: readonly SignedEntry[];
  readonly limits: SigningLimits;
}

export type Refusal =
  | 'not_approved'
  | 'output_not_approved'
  | 'payout_not_paid'
  | 'not_our_own'
  | 'fee_cap'
  | 'daily_cap'
  | 'signed_before'
  | 'spend_taken';

export type Verdict =
  | { readonly ok: true; readonly leaves: Readonly<Record<string, string>> }
  | { readonly ok: false; readonly reason: Refusal; readonly detail: string; readonly spends?: readonly string[] };

/** Statuses in which a payout is signed: payments has claimed it, so that nobody can stop it any longer. */
const SIGNABLE: ReadonlySet<string> = new Set(['preparing', 'sending', 'in_doubt', 'sent']);

/** Statuses in which a payout may still be, or be going, out. */
const UNFINISHED: ReadonlySet<string> = new Set(['queued', ...SIGNABLE]);

const no = (reason: Refusal, detail: string, spends?: readonly string[]): Verdict => ({
  ok: false,
  reason,
  detail,
  ...(spends ? { spends } : {}),
});

/** Decides about one transaction. */
export function check(question: Question): Verdict {
  const leaves = leaving(question.reading);
  return (
    refuseOutputs(question) ??
    (question.reading.fee.parts > question.limits.maxFee
      ? no('fee_cap', `a fee of ${question.reading.fee.parts} ${question.reading.fee.currency}`)
      : undefined) ??
    refuseSecondSigning(question) ??
    refuseTakenSpend(question) ??
    refuseOverCap(question, leaves) ?? { ok: true, leaves }
  );
}

function refuseOutputs({ request, reading, account, payouts }: Question): Verdict | undefined {
  const foreign = reading.outputs.filter((output) => !output.own);
  if (request.purpose !== 'payout' && (foreign.length > 0 || request.payouts.length > 0)) {
    return no('not_our_own', `a ${request.purpose} pays nobody else`);
  }
  const open = new Set(request.payouts);
  if (open.size !== request.payouts.length) return no('not_approved', 'a payout is named twice');
  for (const id of open) {
    const payout = payouts.get(id);
    if (!payout || payout.rail !== request.rail || !SIGNABLE.has(payout.status)) {
      return no('not_approved', `the payout ${id} is ${payout ? `${payout.status} on ${payout.rail}` : 'unknown'}`);
    }
  }
  for (const output of foreign) {
    const paid = [...open].find((id) => {
      const payout = payouts.get(id);
      return payout?.currency === output.currency && payout.parts === output.parts && account(payout) === output.to;
    });
    if (!paid) return no('output_not_approved', `${output.parts} ${output.currency} to ${output.to}`);
    open.delete(paid);
  }
  return open.size > 0 ? no('payout_not_paid', [...open].join(', ')) : undefined;
}

/** Earlier transactions of the request's payouts that could be mined beside this one: they share no spend with it. */
export function besides({ request, reading, related }: Pick<Question, 'request' | 'reading' | 'related'>): SignedEntry[] {
  return related.filter(
    (entry) => entry.rail === request.rail && entry.payouts.some((id) => request.payouts.includes(id)) && !shares(entry, reading),
  );
}

/** Two transactions that share a spend exclude each other; so every earlier one of a payout must share one, or be over. */
function refuseSecondSigning(question: Question): Verdict | undefined {
  const beside = besides(question).find(({ txid }) => !question.over?.has(txid));
  return beside ? no('signed_before', `${beside.txid} pays it already`, beside.spends) : undefined;
}

function refuseTakenSpend({ request, reading, related, payouts }: Question): Verdict | undefined {
  for (const entry of related) {
    if (entry.rail !== request.rail || !shares(entry, reading)) continue;
    const left = entry.payouts.find((id) => !request.payouts.includes(id) && UNFINISHED.has(payouts.get(id)?.status ?? ''));
    if (left) return no('spend_taken', `it is the payout ${left}'s, which isn't over`);
  }
  return undefined;
}

function refuseOverCap(
  { request, reading, recent, limits }: Question,
  leaves: Readonly<Record<string, string>>,
): Verdict | undefined {
  const totals = totalLeaving([...recent, { rail: request.rail, spends: reading.spends, leaves }]);
  for (const currency of Object.keys(leaves)) {
    const cap = limits.daily.get(currency);
    const total = totals.get(currency) ?? 0n;
    if (cap === undefined || total > cap) return no('daily_cap', `${total} of ${cap ?? 0n} ${currency}`);
  }
  return undefined;
}

function shares(entry: Pick<SignedEntry, 'spends'>, reading: Pick<Reading, 'spends'>): boolean {
  return entry.spends.some((spend) => reading.spends.includes(spend));
}

/** Returns the amounts that leave for good: outputs that aren't our own, and the fee. */
function leaving(reading: Reading): Readonly<Record<string, string>> {
  const sums = new Map<string, bigint>();
  const add = (currency: string, parts: bigint): void => void sums.set(currency, (sums.get(currency) ?? 0n) + parts);
  for (const output of reading.outputs) if (!output.own) add(output.currency, output.parts);
  add(reading.fee.currency, reading.fee.parts);
  return Object.fromEntries([...sums].map(([currency, parts]) => [currency, parts.toString()]));
}

/** Returns the total that leaves, by currency; of transactions that exclude each other only the largest counts. */
export function totalLeaving(entries: readonly Pick<SignedEntry, 'rail' | 'spends' | 'leaves'>[]): ReadonlyMap<string, bigint> {
  const groups: Map<string, bigint>[] = [];
  const groupOf = new Map<string, Map<string, bigint>>();
  for (const { rail, spends, leaves } of entries) {
    const keys = spends.map((spend) => `${rail} ${spend}`);
    let group = keys.map((key) => groupOf.get(key)).find((found) => found !== undefined);
    if (!group) groups.push((group = new Map()));
    for (const key of keys) groupOf.set(key, group);
    for (const [currency, text] of Object.entries(leaves)) {
      const parts = BigInt(text);
      if (parts > (group.get(currency) ?? 0n)) group.set(currency, parts);
    }
  }
  const totals = new Map<string, bigint>();
  for (const group of groups) for (const [currency, parts] of group) totals.set(currency, (totals.get(currency) ?? 0n) + parts);
  return totals;
}
