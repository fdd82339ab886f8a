/**
 * Rules of the signer, without side effects. Takes a transaction's effect, read from its bytes by the rail's own code, the
 * payouts in the database, and earlier signatures. Returns the amounts that leave, or the reason for a refusal.
 *
 * 1. Every output is an approved payout of the request (exact currency, account and sum, each once), or pays one of our own
 *    addresses.
 * 2. The network's fee stays within the rail's cap.
 * 3. The amount that leaves for good in 24 hours, fees included, stays within each currency's cap.
 * 4. A payout is signed again only in a transaction that excludes all its earlier ones. Or the chain itself must prove to the
 *    signer that the earlier ones can never be mined (TRON: expired, and not in the solid chain).
 * 5. A spend of an unfinished payout's transaction is used for no other payout until that payout has ended.
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
  /** Highest amount of a currency that may leave within 24 hours, in minor units. Without a cap, none of it may leave. */
  readonly daily: ReadonlyMap<string, bigint>;
  /** Highest network fee of one transaction of the rail, in minor units. */
  readonly maxFee: bigint;
}

export interface Question {
  readonly request: Pick<SignRequest, 'rail' | 'purpose' | 'payouts'>;
  readonly reading: Reading;
  /** Returns a payout's receiver in the spelling of the rail's readings; undefined for an invalid account. */
  readonly account: (payout: ApprovedPayout) => string | undefined;
  /** The payouts of the request, and those of earlier transactions that share a spend, by id. */
  readonly payouts: ReadonlyMap<string, ApprovedPayout>;
  /** Earlier transactions that share a spend or a payout with this one. */
  readonly related: readonly SignedEntry[];
  /** Ids of earlier transactions that can never be mined, as the signer itself has read from their chain. */
  readonly over?: ReadonlySet<string>;
  /** All transactions signed in the last 24 hours. */
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

/** Statuses in which a payout may be signed: payments has claimed it, so nobody can stop it. */
const SIGNABLE: ReadonlySet<string> = new Set(['preparing', 'sending', 'in_doubt', 'sent']);

/** Statuses in which a payout may have been sent, or may still be sent. */
const UNFINISHED: ReadonlySet<string> = new Set(['queued', ...SIGNABLE]);

const no = (reason: Refusal, detail: string, spends?: readonly string[]): Verdict => ({
  ok: false,
  reason,
  detail,
  ...(spends ? { spends } : {}),
});

/** Checks one transaction against all rules. Returns the amounts that leave, by currency, or the first refusal. */
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

/** Returns earlier transactions of the request's payouts that could be mined too, since they share no spend with this one. */
export function besides({ request, reading, related }: Pick<Question, 'request' | 'reading' | 'related'>): SignedEntry[] {
  return related.filter(
    (entry) => entry.rail === request.rail && entry.payouts.some((id) => request.payouts.includes(id)) && !shares(entry, reading),
  );
}

/** Refuses a payout that an earlier transaction may still pay: one that shares no spend with this one and isn't over. */
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

/** Transactions that all use the spends in `common`, so that at most one of them can be mined. */
interface Rivals {
  common: readonly string[];
  readonly largest: Map<string, bigint>;
}

/**
 * Returns the most that can leave, in minor units by currency. Transactions with a spend in common exclude each other, so only the
 * largest amount of such a group is included. Each transaction is in one group. A chain of them, of which each shares a spend with
 * the next, is no group: its first and last can both be mined. So the result is never too low, but may be too high.
 */
export function totalLeaving(entries: readonly Pick<SignedEntry, 'rail' | 'spends' | 'leaves'>[]): ReadonlyMap<string, bigint> {
  const groups: Rivals[] = [];
  const bySpend = new Map<string, Rivals[]>();
  for (const { rail, spends, leaves } of entries) {
    const keys = spends.map((spend) => `${rail} ${spend}`);
    let group = keys.flatMap((key) => bySpend.get(key) ?? []).find(({ common }) => common.some((key) => keys.includes(key)));
    if (group) group.common = group.common.filter((key) => keys.includes(key));
    else {
      groups.push((group = { common: keys, largest: new Map() }));
      for (const key of keys) bySpend.set(key, [...(bySpend.get(key) ?? []), group]);
    }
    for (const [currency, text] of Object.entries(leaves)) {
      const parts = BigInt(text);
      if (parts > (group.largest.get(currency) ?? 0n)) group.largest.set(currency, parts);
    }
  }
  const totals = new Map<string, bigint>();
  for (const { largest } of groups)
    for (const [currency, parts] of largest) totals.set(currency, (totals.get(currency) ?? 0n) + parts);
  return totals;
}
