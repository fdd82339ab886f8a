import { format, money } from '@kurs/money';
import { z } from 'zod';
import { wallClock } from '../../platform/index.ts';
import { partsRead } from '../provider/amounts.ts';
import { Unreachable, isAfter, latestOf, oneAtATime } from '../provider/index.ts';
import type {
  Attempt,
  Found,
  OwnSend,
  OwnSends,
  OwnSendsRequest,
  VoucherCode,
  Payout,
  PayoutItem,
  Prepared,
  Proof,
  Sent,
  WalletState,
} from '../rail.ts';
import { balances } from './balance.ts';
import { type PerfectMoneyClient, PerfectMoneyRefusal } from './client.ts';
import { type PerfectMoneySettings, SCALE, accountOf } from './config.ts';
import { type Voucher, daysAround, listMovements, listVouchers } from './vouchers.ts';

/** A list without our reference: what it shows may have been made by hand, and it shows nothing for certain. */
const PROOF: Proof = { lookUp: 'nothing', dedupeMinutes: 0 };

/** What is sent, as it is stored: whose money, how much, and what there was before. */
const request = z.strictObject({
  currency: z.string(),
  account: z.string(),
  amount: z.string(),
  at: z.iso.datetime(),
  /** Vouchers of this account and amount that were there before it: none of them is this one. */
  before: z.array(z.string()),
});
type Request = z.output<typeof request>;

/** What is known of a voucher that this process has made or found, by our reference. Lost with the process. */
interface Made {
  readonly number: string;
  readonly batch: string;
  readonly fee?: bigint;
  readonly isRecalled?: true;
}

interface Maker {
  readonly settings: PerfectMoneySettings;
  readonly client: PerfectMoneyClient;
  readonly made: Map<string, Made>;
}

/**
 * Vouchers are made (`ev_create`) and taken back (`ev_remove`). Perfect Money carries no reference of ours, and of two
 * vouchers of one sum nothing tells which send made which. Therefore:
 *
 * - Of one account and sum one attempt at a time is unfinished: it "spends" the sum, and another waits until it is done, or
 *   so old that it recognises nothing any more.
 * - An attempt keeps which vouchers of its sum there were before. The only other one within half an hour is taken to be its
 *   own: number and code are kept. But nothing proves it, so without an answer to the send itself two people decide by Perfect
 *   Money's own statement; it is never sent again.
 */
export function perfectMoneyPayout(settings: PerfectMoneySettings, client: PerfectMoneyClient): Payout {
  const maker: Maker = { settings, client, made: new Map() };
  return {
    batch: 1,
    proof: () => PROOF,
    prepare: (items, state) => prepare(maker, items, state),
    send: oneAtATime((attempt) => send(maker, attempt)),
    find: (attempt) => find(maker, attempt),
    ownSends: (request) => ownSends(maker, request),
    recall: (attempt) => recall(maker, attempt),
    estimate: async (currency) => ({ currency, parts: feeOf(ORDINARY) }),
  };
}

/** For so long an attempt may recognise its voucher without having been told of it. */
const RECOGNISED_MS = 30 * 60_000;
/** For so long it keeps others of its sum from being made: some more, so that the two never overlap. */
const ALONE_MS = RECOGNISED_MS + 10 * 60_000;

/** An ordinary payout, in cents, for the price line. */
const ORDINARY = 10_000n;
/** Half a percent: seen in integrations only. What was really kept is read from the answer. */
const feeOf = (parts: bigint): bigint => (parts + 199n) / 200n;

const no = (reason: 'refused' | 'no_float' | 'unavailable', detail: string): Prepared => ({ ok: false, reason, detail });

async function prepare({ settings, client }: Maker, items: readonly PayoutItem[], state: WalletState): Promise<Prepared> {
  const [item] = items;
  const account = accountOf(settings, item?.currency ?? '');
  if (!item || items.length !== 1 || account === undefined) return no('refused', 'one voucher of a currency of ours at a time');
  const { id, currency, parts } = item;
  const amount = format(money(currency, parts));
  const at = wallClock();
  const chance = `ev:${account}:${amount}`;
  if (state.spent.some((spent) => isTaken(spent, chance, at, ALONE_MS)))
    return no('unavailable', `another voucher of ${amount} is being made`);
  try {
    const held = (await balances(client)).get(account) ?? 0n;
    if (held < parts + feeOf(parts)) return no('no_float', `less than this is payable in ${currency}`);
    const before = (await listVouchers(client, daysAround(at, 1, 1)))
      .filter(isLike({ account, parts }))
      .map(({ number }) => number);
    const raw: Request = { currency, account, amount, at: at.toISOString(), before };
    const fee = { currency, parts: feeOf(parts), isMaximum: true as const };
    return {
      ok: true,
      attempt: { reference: id, items: [id], raw: JSON.stringify(raw), spends: [`${chance}:${at.getTime()}:${id}`], fee },
    };
  } catch (error) {
    if (error instanceof Unreachable || error instanceof PerfectMoneyRefusal) return no('unavailable', error.message);
    throw error;
  }
}

/** Does an unfinished attempt keep this account and sum for itself, for so long after it was made? */
function isTaken(spent: string, chance: string, now: Date, forMs: number): boolean {
  if (!spent.startsWith(`${chance}:`)) return false;
  const since = Number.parseInt(spent.slice(chance.length + 1), 10);
  return now.getTime() - since < forMs;
}

const isLike =
  ({ account, parts }: { account: string; parts: bigint }) =>
  (voucher: Voucher): boolean =>
    voucher.payer === account && voucher.parts === parts;

const requestOf = (attempt: Attempt): Request => request.parse(JSON.parse(attempt.raw));

/** Vouchers that may be this attempt's, the oldest first. */
async function candidates({ client, made }: Maker, attempt: Attempt): Promise<Voucher[]> {
  const { account, amount, at, before } = requestOf(attempt);
  const others = [...made].flatMap(([reference, { number }]) => (reference === attempt.reference ? [] : [number]));
  const known = new Set([...before, ...others]);
  const days = { from: daysAround(new Date(at), 1, 0).from, to: daysAround(wallClock(), 0, 0).to };
  const like = (await listVouchers(client, days)).filter(isLike({ account, parts: partsRead(amount, SCALE) }));
  return like.filter(({ number }) => !known.has(number)).toSorted((a, b) => (BigInt(a.batch) < BigInt(b.batch) ? -1 : 1));
}

/** This attempt's voucher: the one that we were told of, or the only one that it can be. */
async function poll(maker: Maker, attempt: Attempt): Promise<Voucher | undefined> {
  const may = await candidates(maker, attempt);
  const reported = maker.made.get(attempt.reference);
  if (reported) return may.find(({ number }) => number === reported.number);
  const age = wallClock().getTime() - new Date(requestOf(attempt).at).getTime();
  return may.length === 1 && age < RECOGNISED_MS ? may[0] : undefined;
}

/** Words after which no voucher was made: about the caller, the account or the sum. Any other may come after it was. */
const DEFINITE = /^(can not login|not enough money|invalid|wrong)/i;

const voucherOf = ({ number, code }: { number: string; code: string }): VoucherCode => ({ number, code });

async function send(maker: Maker, attempt: Attempt): Promise<Sent> {
  const { account, amount } = requestOf(attempt);
  const { client, made } = maker;
  try {
    // Without this answer nothing is sent, and a doubt takes two people: so it is asked once more.
    const may = await candidates(maker, attempt).catch(() => candidates(maker, attempt));
    // It was sent before, or somebody else makes vouchers of this sum: then the look-up decides.
    if (may.length > 0) return { outcome: 'unknown', reason: 'there is such a voucher already' };
    const answer = await client.act('ev_create', { Payer_Account: account, Amount: amount });
    const [number, code, batch] = ['VOUCHER_NUM', 'VOUCHER_CODE', 'PAYMENT_BATCH_NUM'].map((name) => answer.get(name) ?? '');
    if (!number || !code || !batch) return { outcome: 'unknown', reason: 'an answer without a voucher' };
    made.set(attempt.reference, { number, batch, ...feeIn(answer) });
    return { outcome: 'accepted', txid: batch, voucher: voucherOf({ number, code }) };
  } catch (error) {
    if (error instanceof PerfectMoneyRefusal)
      return { outcome: DEFINITE.test(error.message) ? 'refused' : 'unknown', reason: error.message };
    if (error instanceof Unreachable) return { outcome: 'unknown', reason: error.message };
    throw error;
  }
}

/** What was paid for a voucher beyond what it is worth. */
function feeIn(answer: ReadonlyMap<string, string>): { fee?: bigint } {
  const [paid, worth] = [answer.get('PAYMENT_AMOUNT'), answer.get('VOUCHER_AMOUNT')];
  if (paid === undefined || worth === undefined) return {};
  const fee = partsRead(paid, SCALE) - partsRead(worth, SCALE);
  return fee >= 0n ? { fee } : {};
}

async function find(maker: Maker, attempt: Attempt): Promise<Found> {
  const reported = maker.made.get(attempt.reference);
  const end = { height: 0, confirmations: 1, finalised: true } as const;
  if (reported?.isRecalled) return { outcome: 'mined', txid: reported.batch, ...end, ok: false, fee: 0n };
  const voucher = await poll(maker, attempt);
  if (!voucher) return { outcome: 'absent', conclusive: false };
  const fee = reported?.fee ?? (await feeOfBatch(maker, attempt, voucher.batch));
  maker.made.set(attempt.reference, { number: voucher.number, batch: voucher.batch, fee });
  return { outcome: 'mined', txid: voucher.batch, voucher: voucherOf(voucher), ...end, ok: true, fee };
}

async function feeOfBatch({ client }: Maker, attempt: Attempt, batch: string): Promise<bigint> {
  const days = { from: daysAround(new Date(requestOf(attempt).at), 1, 0).from, to: daysAround(wallClock(), 0, 0).to };
  const movements = await listMovements(client, days, batch);
  return movements.find((one) => one.batch === batch)?.fee ?? 0n;
}

/**
 * Takes a voucher back that nobody has looked at. Long after it was made there are others of its sum; its own is the first
 * of those that weren't there before it, since none was made beside it. One that somebody has activated stays as it is.
 */
async function recall(maker: Maker, attempt: Attempt): Promise<void> {
  const { client, made } = maker;
  const reported = made.get(attempt.reference);
  if (reported?.isRecalled) return;
  const may = await candidates(maker, attempt);
  const voucher = reported ? may.find(({ number }) => number === reported.number) : may[0];
  if (!voucher) throw new Error('The voucher is not in the list any more');
  if (voucher.activated !== '') return;
  const answer = await client.act('ev_remove', { ev_number: voucher.number });
  if (answer.get('VOUCHER_NUM') !== voucher.number)
    throw new Unreachable('perfectmoney ev_remove: an answer without the voucher');
  made.set(attempt.reference, { number: voucher.number, batch: voucher.batch, isRecalled: true });
}

/** Days back for which vouchers are compared. */
const COMPARED_DAYS = 31;

/**
 * The vouchers that were made since the last comparison. None bears a reference of ours, and nothing but the list keeps an older
 * copy from making one again: so each counts, also one that was made by hand. One that an unfinished attempt may still recognise
 * is left to its look-up. The first comparison only notes where it begins.
 */
async function ownSends({ settings, client }: Maker, { state, readTo }: OwnSendsRequest): Promise<OwnSends> {
  const now = wallClock();
  const vouchers = await listVouchers(client, daysAround(now, COMPARED_DAYS, 1));
  const latest = latestOf(
    vouchers.map(({ batch }) => batch),
    readTo ?? '0',
  );
  if (readTo === undefined) return { sends: [], readTo: latest };
  const sends = vouchers.flatMap(({ batch, payer, parts, currency = '' }): OwnSend[] => {
    const isOurs = accountOf(settings, currency) === payer;
    const chance = `ev:${payer}:${isOurs ? format(money(currency, parts)) : ''}`;
    const isAwaited = state.spent.some((spent) => isTaken(spent, chance, now, RECOGNISED_MS));
    if (!isOurs || isAwaited || !isAfter(batch, readTo)) return [];
    return [{ reference: batch, ours: batch, pays: [{ currency, parts, to: '' }] }];
  });
  // What an unfinished attempt has made is asked about again.
  return { sends, readTo: state.spent.length > 0 ? readTo : latest };
}
