import { z } from 'zod';
import { format, money } from '@kurs/money';
import { Unreachable, insist, oneAtATime } from '../provider/index.ts';
import { partsRead } from '../provider/amounts.ts';
import type { Attempt, Found, Payout, PayoutItem, Prepared, Proof, Sent } from '../rail.ts';
import { type MoneyGoApi, Refusal } from './api.ts';
import { type MoneyGoCurrency, SCALE } from './config.ts';
import { FIELD } from './payin.ts';

const rawShape = z.strictObject({
  wallet_from: z.string(),
  wallet_to: z.string(),
  amount: z.string(),
  payment_id: z.string(),
  description: z.string(),
});

/** A look-up shows the transfer with our reference. A missing one proves nothing, and a reference may be accepted twice. */
const PROOF: Proof = { lookUp: 'presence', dedupeMinutes: 0 };

/**
 * Returns the payouts: transfers from our wallets. They carry our reference (`payment_id`), by which the look-up finds them. No
 * document promises that a reference is accepted only once, so it is looked up before each transfer.
 */
export function payoutOf(currencies: readonly MoneyGoCurrency[], api: MoneyGoApi): Payout {
  return {
    batch: 1,
    proof: () => PROOF,
    prepare: ([item, another]) => {
      const currency = currencies.find(({ code }) => code === item?.currency);
      if (!item || another || !currency) throw new Error('MoneyGo sends one payout at a time, in a currency that it has');
      return prepare(currency, api, item);
    },
    send: oneAtATime((attempt) => send(api, attempt)),
    find: (attempt) => find(api, attempt),
    estimate: async (currency) => ({ currency, parts: 0n }),
  };
}

async function prepare(currency: MoneyGoCurrency, api: MoneyGoApi, item: PayoutItem): Promise<Prepared> {
  const to = item.to[FIELD] ?? '';
  try {
    const held = (await api.wallets()).get(currency.wallet);
    if (!held) return { ok: false, reason: 'unavailable', detail: 'our wallet is not among the account’s' };
    if (partsRead(held.active, SCALE) < item.parts)
      return { ok: false, reason: 'no_float', detail: `${currency.code}: not enough in the wallet` };
    if (!(await api.isWallet(currency.wallet, to))) return { ok: false, reason: 'refused', detail: 'there is no such wallet' };
  } catch (error) {
    if (error instanceof Refusal || error instanceof Unreachable)
      return { ok: false, reason: 'unavailable', detail: error.message };
    throw error;
  }
  const raw: z.input<typeof rawShape> = {
    wallet_from: currency.wallet,
    wallet_to: to,
    amount: format(money(item.currency, item.parts)),
    payment_id: item.id,
    description: item.id,
  };
  // Only the look-up shows MoneyGo's fee.
  const fee = { currency: item.currency, parts: 0n, isMaximum: true } as const;
  return { ok: true, attempt: { reference: item.id, items: [item.id], raw: JSON.stringify(raw), spends: [], fee } };
}

/** Looks the reference up, then transfers. Only the answer to the transfer itself can be a definite refusal. */
async function send(api: MoneyGoApi, { raw }: Attempt): Promise<Sent> {
  const request = rawShape.parse(JSON.parse(raw));
  let hasPosted = false;
  try {
    const there = await insist(() => api.transaction(request.payment_id));
    if (there) return { outcome: 'accepted', txid: there.id };
    hasPosted = true;
    return { outcome: 'accepted', txid: await api.transfer(request) };
  } catch (error) {
    if (error instanceof Refusal && hasPosted) return { outcome: error.isRepeated ? 'exists' : 'refused', reason: error.message };
    if (error instanceof Refusal) return { outcome: 'unknown', reason: error.message };
    if (error instanceof Unreachable) return { outcome: 'unknown', reason: error.message };
    throw error;
  }
}

async function find(api: MoneyGoApi, { raw }: Attempt): Promise<Found> {
  const { payment_id: reference } = rawShape.parse(JSON.parse(raw));
  const there = await api.transaction(reference);
  if (!there) return { outcome: 'absent', isConclusive: false };
  if (there.status !== 'SUCCESS' && there.status !== 'FAIL') return { outcome: 'pending', txid: there.id };
  const ok = there.status === 'SUCCESS';
  const fee = ok ? partsRead(there.fee, SCALE) : 0n;
  return { outcome: 'mined', txid: there.id, height: 0, confirmations: 1, isFinalised: true, ok, fee };
}
