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

/** The list of vouchers has no reference of ours, so a voucher in it may have been made by hand. It proves nothing. */
const PROOF: Proof = { lookUp: 'nothing', dedupeMinutes: 0 };

/** The stored request: account, amount, time, and earlier vouchers. */
const request = z.strictObject({
  currency: z.string(),
  account: z.string(),
  amount: z.string(),
  at: z.iso.datetime(),
  /** Numbers of earlier vouchers of the same account and amount: none of them is this attempt's. */
  before: z.array(z.string()),
});
type Request = z.output<typeof request>;

/** A voucher that this process has made or found. Lost with the process. */
interface Made {
  readonly number: string;
  readonly batch: string;
  readonly fee?: bigint;
  readonly isRecalled?: true;
}

/** Dependencies of the calls, and the known vouchers by our reference. */
interface Maker {
  readonly settings: PerfectMoneySettings;
  readonly client: PerfectMoneyClient;
  readonly made: Map<string, Made>;
}

/**
 * Returns the payout side: creates vouchers (`ev_create`) and takes them back (`ev_remove`). Perfect Money stores no reference of
 * ours, so nothing tells two vouchers of one sum apart. Therefore:
 *
 * - Only one attempt per account and sum is unfinished at a time: it "spends" the sum. Another attempt waits until the first one
 *   has ended, or is too old to recognize its voucher.
 * - An attempt stores the earlier vouchers of its sum. The only other one within half an hour is taken as its own, and its number
 *   and code are stored. But that is no proof. So if the send itself had no answer, two people decide by Perfect Money's own
 *   statement, and the attempt is never sent again.
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

/** Time after its preparation in which an attempt may recognize its voucher in the list without an answer to its send. */
const RECOGNISED_MS = 30 * 60_000;
/** Time for which an unfinished attempt blocks others of its sum: longer than `RECOGNISED_MS`, so that two never overlap. */
const ALONE_MS = RECOGNISED_MS + 10 * 60_000;

/** An ordinary payout, in cents, to estimate the fee. */
const ORDINARY = 10_000n;
/** Estimates the fee, in cents: half a percent, by public integrations only. The answer to a send has the actual fee. */
const feeOf = (parts: bigint): bigint => (parts + 199n) / 200n;

const no = (reason: 'refused' | 'no_float' | 'unavailable' | 'busy', detail: string): Prepared => ({ ok: false, reason, detail });

async function prepare({ settings, client }: Maker, items: readonly PayoutItem[], state: WalletState): Promise<Prepared> {
  const [item] = items;
  const account = accountOf(settings, item?.currency ?? '');
  if (!item || items.length !== 1 || account === undefined) return no('refused', 'one voucher of a currency of ours at a time');
  const { id, currency, parts } = item;
  const amount = format(money(currency, parts));
  const at = wallClock();
  const chance = `ev:${account}:${amount}`;
  if (state.spent.some((spent) => isTaken(spent, chance, at, ALONE_MS)))
    return no('busy', `another voucher of ${amount} is being made`);
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

/** Returns true if an unfinished attempt's spend is of this account and sum, and was made less than `forMs` ago. */
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

/** Returns the vouchers that may be an attempt's, oldest first. */
async function candidates({ client, made }: Maker, attempt: Attempt): Promise<Voucher[]> {
  const { account, amount, at, before } = requestOf(attempt);
  const others = [...made].flatMap(([reference, { number }]) => (reference === attempt.reference ? [] : [number]));
  const known = new Set([...before, ...others]);
  const days = { from: daysAround(new Date(at), 1, 0).from, to: daysAround(wallClock(), 0, 0).to };
  const like = (await listVouchers(client, days)).filter(isLike({ account, parts: partsRead(amount, SCALE) }));
  return like.filter(({ number }) => !known.has(number)).toSorted((a, b) => (BigInt(a.batch) < BigInt(b.batch) ? -1 : 1));
}

/** Returns an attempt's voucher: the one in the send's answer, or the only possible one; undefined if unclear. */
async function poll(maker: Maker, attempt: Attempt): Promise<Voucher | undefined> {
  const may = await candidates(maker, attempt);
  const reported = maker.made.get(attempt.reference);
  if (reported) return may.find(({ number }) => number === reported.number);
  const age = wallClock().getTime() - new Date(requestOf(attempt).at).getTime();
  return may.length === 1 && age < RECOGNISED_MS ? may[0] : undefined;
}

/** Errors after which no voucher exists: about the caller, the account or the sum. After others, one may exist. */
const DEFINITE = /^(can not login|not enough money|invalid|wrong)/i;

const voucherOf = ({ number, code }: { number: string; code: string }): VoucherCode => ({ number, code });

async function send(maker: Maker, attempt: Attempt): Promise<Sent> {
  const { account, amount } = requestOf(attempt);
  const { client, made } = maker;
  try {
    // Without this list nothing is sent and two people must decide, so a failed call is repeated once.
    const may = await candidates(maker, attempt).catch(() => candidates(maker, attempt));
    // The attempt was sent before, or somebody else creates vouchers of this sum: then the look-up decides.
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

/** Returns the fee of a new voucher: the sum paid beyond its worth; nothing if the answer doesn't show it. */
function feeIn(answer: ReadonlyMap<string, string>): { fee?: bigint } {
  const [paid, worth] = [answer.get('PAYMENT_AMOUNT'), answer.get('VOUCHER_AMOUNT')];
  if (paid === undefined || worth === undefined) return {};
  const fee = partsRead(paid, SCALE) - partsRead(worth, SCALE);
  return fee >= 0n ? { fee } : {};
}

async function find(maker: Maker, attempt: Attempt): Promise<Found> {
  const reported = maker.made.get(attempt.reference);
  const end = { height: 0, confirmations: 1, isFinalised: true } as const;
  if (reported?.isRecalled) return { outcome: 'mined', txid: reported.batch, ...end, ok: false, fee: 0n };
  const voucher = await poll(maker, attempt);
  if (!voucher) return { outcome: 'absent', isConclusive: false };
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
 * Takes back a voucher that nobody has opened. Later there may be several vouchers of its sum. The attempt's own is the oldest of
 * those that were created after its preparation, since no other one could be created meanwhile. An activated voucher stays
 * unchanged. Throws an Error if the voucher isn't listed, and `PerfectMoneyRefusal` or `Unreachable`.
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

/** Number of past days for which vouchers are compared with the books. */
const COMPARED_DAYS = 31;

/**
 * Returns the vouchers created since the last comparison. No voucher has a reference of ours, and a restored older database finds
 * the vouchers that it lacks only in this list. So each voucher counts, even if created by hand. Vouchers that an unfinished
 * attempt may still recognize are left out. The first comparison returns no sends, only its position. Throws
 * `PerfectMoneyRefusal` or `Unreachable`.
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
  // While attempts are unfinished, the next comparison reads their vouchers again.
  return { sends, readTo: state.spent.length > 0 ? readTo : latest };
}
