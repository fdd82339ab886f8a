import { Transaction } from '@scure/btc-signer';
import type { Attempt, Found, Payout, PayoutItem, Prepared, Proof, Sent, Signer, WalletState } from '../rail.ts';
import { attemptsSigned } from '../signed-before.ts';
import { askSigner } from '../signer.ts';
import { scriptFor } from './address.ts';
import { type Esplora, Unreachable } from './client.ts';
import { type Coin, outpointOf, selectCoins } from './coins.ts';
import type { BitcoinConfig } from './config.ts';
import { dustOf, feeFor, rateFor, weightOf } from './fees.ts';
import { type Account, CHANGE } from './keys.ts';
import { minedSpenderOf } from './missing-payments.ts';
import { FINAL_DEPTH } from './observed-payments.ts';
import { build, idOf, OPTIONS, type Payment } from './transaction.ts';
import { openOwnSends } from './own-sends.ts';
import type { Wallet } from './wallet.ts';

/** A look-up proves that a transaction is there, or that it can't happen: another one, beyond any reorg, has spent an input. */
const PROOF: Proof = { lookUp: 'presence and absence', dedupeMinutes: 0 };
/** Maximum number of payouts in one transaction, well below the size that nodes relay. */
const BATCH = 100;
/** Maximum number of coin selections before the payout is left for later. */
const MAX_CHOICES = 5;
/** Depth in blocks from which a conflicting transaction rules ours out for good. */
const CONCLUSIVE_DEPTH = 6;
/** Weight of the transaction whose fee is quoted to customers: one input, the payout, change. */
const TYPICAL_WEIGHT = weightOf(1, [new Uint8Array(34), new Uint8Array(22)]);

/** Dependencies of sending. */
export interface Sending {
  readonly config: BitcoinConfig;
  readonly esplora: Esplora;
  readonly account: Account;
  readonly wallet: Wallet;
  readonly signer: Signer;
}

/** Returns the payouts of the rail: many in one transaction, stored signed before it leaves, and bumped by a child. */
export function bitcoinPayout(sending: Sending): Payout {
  const { config, esplora } = sending;
  const ownSends = openOwnSends(esplora, sending.account, config.pollMs);
  return {
    batch: BATCH,
    proof: () => PROOF,
    prepare: (items, state) => orUnavailable(() => prepare(sending, items, state)),
    send: (attempt) => send(esplora, attempt),
    find: (attempt) => find(esplora, attempt),
    ownSends,
    ruledOutBy: (attempt) => ruledOutBy(esplora, attempt),
    signedBefore: (payouts, state) =>
      attemptsSigned(sending.signer, config.id, payouts, ({ raw }) => changeIn(sending.account, raw, state.changeIndex)),
    bump: (attempt, state) => orUnavailable(() => bump(sending, attempt, state)),
    estimate: async () => ({ currency: 'BTC', parts: feeFor(TYPICAL_WEIGHT, await currentRate(esplora, config)) }),
  };
}

async function currentRate(esplora: Esplora, config: BitcoinConfig): Promise<bigint> {
  return rateFor(await esplora.feeEstimates(), config.payoutBlocks) ?? config.fallbackRate;
}

async function prepare(sending: Sending, items: readonly PayoutItem[], state: WalletState): Promise<Prepared> {
  const { config, esplora, account, wallet } = sending;
  const payments = items.map((item) => paymentOf(config, item));
  const rate = await currentRate(esplora, config);
  if (rate > config.maxRate) return no('fee_cap', `${rate} msat/vB are asked`);
  const place = account.place(CHANGE, state.changeIndex);
  const selection = await chooseCoins(wallet, state, (coins) => selectCoins(coins, payments, place.script, rate));
  if (!selection) return no('no_float', 'the coins that can be spent now are not enough');
  if (selection.fee > config.maxFee) return no('fee_cap', `a fee of ${selection.fee} satoshi`);
  const change = selection.change > 0n ? { place, parts: selection.change } : undefined;
  return complete(sending, selection.coins, payments, change, {
    items: items.map(({ id }) => id),
    fee: selection.fee,
    purpose: 'payout',
  });
}

/**
 * Selects coins of the wallet until the server confirms that all selected ones exist, since one may have been spent unnoticed.
 * Throws `Unreachable` after too many selections.
 */
async function chooseCoins(
  wallet: Wallet,
  state: WalletState,
  select: (coins: readonly Coin[]) => ReturnType<typeof selectCoins>,
): Promise<ReturnType<typeof selectCoins>> {
  for (let choice = 0; choice < MAX_CHOICES; choice += 1) {
    const selection = select(await wallet.spendable(state));
    if (!selection || (await wallet.areThere(selection.coins))) return selection;
  }
  throw new Unreachable('coins of ours keep vanishing');
}

/** Has a transaction of the selected coins signed, and makes an attempt of it. */
async function complete(
  { account, esplora, config, signer }: Sending,
  coins: readonly Coin[],
  payments: readonly Payment[],
  change: Parameters<typeof build>[3],
  of: { readonly items: readonly string[]; readonly fee: bigint; readonly purpose: 'payout' | 'sweep' },
): Promise<Prepared> {
  const whole = await Promise.all(coins.map(async (coin) => ({ ...coin, raw: await previous(esplora, coin) })));
  const { psbt, txid } = build(account, whole, payments, change);
  const signed = await askSigner(signer, { rail: config.id, unsigned: psbt, payouts: of.items, purpose: of.purpose });
  if (!signed.ok) return signed;
  if (idOf(Buffer.from(signed.raw, 'hex')) !== txid)
    return { ...no('signer_refused', 'it signed something else'), mayBeSigned: true };
  return {
    ok: true,
    attempt: {
      reference: txid,
      items: of.items,
      raw: signed.raw,
      spends: coins.map(outpointOf),
      ...(change && { changeIndex: change.place.index }),
      fee: { currency: 'BTC', parts: of.fee },
    },
  };
}

async function previous(esplora: Esplora, coin: Coin): Promise<string> {
  const raw = await esplora.raw(coin.txid);
  if (raw === undefined) throw new Unreachable(`${coin.txid} is not there any more`);
  return raw;
}

/** Number of unused change addresses that are compared with the outputs of a signed but unstored transaction. */
const CHANGES_AHEAD = 200;

/** Returns the index of the unused change address that a signed but unstored transaction pays; empty if it pays none. */
function changeIn(account: Account, raw: string, next: number): Pick<Attempt, 'changeIndex'> {
  const tx = Transaction.fromRaw(Buffer.from(raw, 'hex'), { ...OPTIONS, allowUnknownOutputs: true });
  const scripts = Array.from({ length: tx.outputsLength }, (_, vout) => Buffer.from(tx.getOutput(vout).script ?? []));
  for (let index = next; index < next + CHANGES_AHEAD; index += 1) {
    const { script } = account.place(CHANGE, index);
    if (scripts.some((one) => one.equals(script))) return { changeIndex: index };
  }
  return {};
}

/** Returns a payout as an output. Payouts were checked when they were requested: one that can't be paid here is a bug, and throws. */
function paymentOf({ network }: BitcoinConfig, { id, currency, to, parts }: PayoutItem): Payment {
  const script = scriptFor(network, to['address'] ?? '');
  if (currency !== 'BTC' || parts < dustOf(script)) throw new RangeError(`The payout ${id} cannot be paid in bitcoin`);
  return { script, parts };
}

/**
 * Broadcasts an attempt. A node's refusal is only the node's view at this moment. The refusal is final if another transaction has
 * spent one of our inputs for good; otherwise the outcome is unknown.
 */
async function send(esplora: Esplora, attempt: Attempt): Promise<Sent> {
  const txid = attempt.reference;
  try {
    const answer = await esplora.broadcast(attempt.raw);
    if (answer.ok)
      return answer.txid === txid ? { outcome: 'accepted', txid } : { outcome: 'unknown', reason: `answered ${answer.txid}` };
    const found = await find(esplora, attempt);
    if (found.outcome !== 'absent') return { outcome: 'accepted', txid };
    return { outcome: found.isConclusive ? 'refused' : 'unknown', reason: answer.message };
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error;
    return { outcome: 'unknown', reason: error.message };
  }
}

async function find(esplora: Esplora, attempt: Attempt): Promise<Found> {
  const txid = attempt.reference;
  const tip = await esplora.tipHeight();
  const tx = await esplora.transaction(txid);
  if (tx?.status.confirmed) {
    const height = tx.status.block_height;
    const confirmations = Math.max(1, tip - height + 1);
    return {
      outcome: 'mined',
      txid,
      height,
      confirmations,
      isFinalised: confirmations >= FINAL_DEPTH,
      ok: true,
      fee: tx.fee ?? attempt.fee.parts,
    };
  }
  if (tx) return { outcome: 'pending', txid };
  const spenders = await Promise.all(attempt.spends.map((spend) => minedSpenderOf(esplora, spend, txid)));
  const isConclusive = spenders.some((spender) => spender !== undefined && tip - spender.height + 1 >= CONCLUSIVE_DEPTH);
  return { outcome: 'absent', isConclusive };
}

/** Returns the transaction that spends an input of an attempt, so deep that no reorg reaches it; undefined if there is none. */
async function ruledOutBy(esplora: Esplora, { spends, reference }: Attempt): Promise<string | undefined> {
  const tip = await esplora.tipHeight();
  const spenders = await Promise.all(spends.map((spend) => minedSpenderOf(esplora, spend, reference)));
  return spenders.find((spender) => spender !== undefined && tip - spender.height + 1 >= CONCLUSIVE_DEPTH)?.txid;
}

/**
 * Prepares a child that spends a waiting attempt's change back to us and pays for both at the current rate. The attempt itself
 * doesn't change, and the child carries no items.
 */
async function bump(sending: Sending, attempt: Attempt, state: WalletState): Promise<Prepared> {
  const { config, esplora, account } = sending;
  if (attempt.changeIndex === undefined) return no('unavailable', 'it has no change to spend');
  const parent = Transaction.fromRaw(Buffer.from(attempt.raw, 'hex'), { ...OPTIONS, allowUnknownOutputs: true });
  const from = account.place(CHANGE, attempt.changeIndex);
  const coin = outputTo(parent, attempt.reference, from);
  if (!coin || state.spent.includes(outpointOf(coin))) return no('unavailable', 'its change is spent already');
  const rate = await currentRate(esplora, config);
  const place = account.place(CHANGE, state.changeIndex);
  const weight = weightOf(1, [place.script]);
  const fee = feeFor(BigInt(parent.weight) + weight, rate) - attempt.fee.parts;
  if (rate > config.maxRate || fee > config.maxFee) return no('fee_cap', `a fee of ${fee} satoshi at ${rate} msat/vB`);
  if (fee < feeFor(weight, rate)) return no('unavailable', 'it pays enough by itself');
  if (coin.parts - fee < dustOf(place.script)) return no('no_fuel', 'its change is too small');
  return complete(sending, [coin], [], { place, parts: coin.parts - fee }, { items: [], fee, purpose: 'sweep' });
}

function outputTo(tx: Transaction, txid: string, place: Coin['place']): Coin | undefined {
  for (let vout = 0; vout < tx.outputsLength; vout += 1) {
    const { script, amount } = tx.getOutput(vout);
    if (script && amount !== undefined && Buffer.from(script).equals(place.script))
      return { txid, vout, parts: amount, place, tier: 2 };
  }
  return undefined;
}

async function orUnavailable(work: () => Promise<Prepared>): Promise<Prepared> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Unreachable) return no('unavailable', error.message);
    throw error;
  }
}

type NotPrepared = Extract<Prepared, { ok: false }>;

function no(reason: NotPrepared['reason'], detail: string): NotPrepared {
  return { ok: false, reason, detail };
}
