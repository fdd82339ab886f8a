import { log } from '../platform/index.ts';
import {
  type ApprovedPayout,
  type SignAnswer,
  type SignRequest,
  type SignedEntry,
  type SigningRail,
  UNEXPLAINED,
  Unreadable,
  besides,
  check,
} from '../rails/index.ts';
import type { Compared } from './books.ts';
import type { Journal } from './journal.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

export interface SigningDeps {
  readonly rails: ReadonlyMap<string, SigningRail>;
  readonly journal: Journal;
  readonly caps: ReadonlyMap<string, bigint>;
  /** Reads payouts by id from the database. */
  readonly payouts: (ids: readonly string[]) => Promise<ReadonlyMap<string, ApprovedPayout>>;
  readonly now: () => Date;
  /** Checks that journal and database belong together now. Throws if the database does not answer. Absent: they do. */
  readonly compared?: () => Promise<Compared>;
}

/**
 * Answers one request: reads the bytes, queries the database, checks, signs, writes the journal, answers. Requests must come one
 * after the other, so that each is checked against the state after the one before.
 */
export async function answer(deps: SigningDeps, request: SignRequest): Promise<SignAnswer> {
  const { journal } = deps;
  const rail = deps.rails.get(request.rail);
  if (!rail) return { ok: false, reason: `unknown_rail: ${request.rail}` };
  try {
    const apart = whyApart(await deps.compared?.(), request.rail);
    if (apart !== undefined) {
      log.warn('nothing is signed: the journal and the database don’t belong together', { rail: request.rail, reason: apart });
      return { ok: false, reason: `${UNEXPLAINED}: ${apart}` };
    }
    const reading = rail.read(request);
    const related = journal.related(request.rail, reading.spends, request.payouts);
    const payouts = await deps.payouts([...new Set([...request.payouts, ...related.flatMap((entry) => entry.payouts)])]);
    const now = deps.now();
    const over = await overOf(rail, besides({ request, reading, related }));
    const verdict = check({
      request,
      reading,
      over,
      account: (payout) => rail.account(payout.currency, payout.to),
      payouts,
      related,
      recent: journal.since(new Date(now.getTime() - DAY_MS)),
      limits: { daily: deps.caps, maxFee: rail.maxFee },
    });
    if (!verdict.ok) {
      reportRefused(request, verdict.reason, verdict.detail);
      return { ok: false, reason: `${verdict.reason}: ${verdict.detail}`, ...(verdict.spends ? { spends: verdict.spends } : {}) };
    }
    const { raw, txid } = await rail.sign(request);
    if (!journal.knows(txid)) {
      const { spends, fee, outputs } = reading;
      const paid = outputs.filter(({ own }) => !own);
      writeDown(journal, {
        at: now.toISOString(),
        rail: request.rail,
        txid,
        payouts: request.payouts,
        spends,
        leaves: verdict.leaves,
        raw,
        fee: { currency: fee.currency, parts: fee.parts.toString() },
        pays: paid.map(({ currency, to, parts }) => ({ currency, to, parts: parts.toString() })),
      });
    }
    return { ok: true, raw, txid };
  } catch (error) {
    const detail = error instanceof Error ? error.message : 'unknown';
    if (error instanceof Unreadable) {
      reportRefused(request, 'unreadable', detail);
      return { ok: false, reason: `unreadable: ${detail}` };
    }
    log.error('signing failed', { rail: request.rail, payoutId: request.payouts, error: detail });
    return { ok: false, reason: `unavailable: ${detail}` };
  }
}

/** Reason why nothing is signed for a rail, even for a valid request. */
function whyApart({ stopped, unexplained = [] }: Partial<Compared> = {}, rail: string): string | undefined {
  if (stopped !== undefined) return stopped;
  const lines = unexplained.filter((line) => line.rail === rail);
  if (lines.length === 0) return undefined;
  return `the journal has ${lines.map(({ txid }) => txid).join(', ')}, which the database doesn’t know: this database is an older copy`;
}

/**
 * A request for a forbidden signature is a fault, or not ours. If another transaction has the spend, that passes automatically.
 */
function reportRefused({ rail, purpose, payouts }: SignRequest, reason: string, detail: string): void {
  const about = { rail, purpose, payoutId: payouts, reason, detail };
  if (reason === 'spend_taken') log.warn('signing refused', about);
  else log.alarm('the signer refuses to sign what it was asked for', about);
}

/** A signature is returned only once the journal holds it. */
function writeDown(journal: Journal, entry: SignedEntry): void {
  try {
    journal.append(entry);
  } catch (error) {
    log.alarm('the signer’s journal can’t be written: nothing is signed until it can', {
      rail: entry.rail,
      payoutId: entry.payouts,
      error: String(error),
    });
    throw error;
  }
}

/**
 * Returns those of earlier transactions that can never happen any more, according to their chain. Throws if it doesn't answer.
 */
async function overOf(rail: SigningRail, earlier: readonly SignedEntry[]): Promise<ReadonlySet<string>> {
  const over = new Set<string>();
  for (const { txid, spends } of earlier) if (await rail.isOver?.(spends)) over.add(txid);
  return over;
}
