import { format, money } from '@kurs/money';
import { z } from 'zod';
import { partsRead } from '../provider/amounts.ts';
import { Unreachable, isAfter, latestOf, oneAtATime, ourReference } from '../provider/index.ts';
import type { Attempt, Found, OwnSend, OwnSends, Payout, PayoutItem, Prepared, Proof, Sent } from '../rail.ts';
import { type PayeerClient, PayeerRefusal, amount, listOf } from './client.ts';
import { ACCOUNT, CURRENCIES, type PayeerSettings, SCALE } from './config.ts';
import { balances } from './balance.ts';

/** What carries our reference is shown; that nothing is shown proves nothing, and no document says that it is taken once. */
const PROOF: Proof = { lookUp: 'presence', dedupeMinutes: 0 };

/** Words by which a reference was used before: no document lists one, so any that may mean it count. */
const REPEATED = /reference|duplicate|already|exists/i;

/** Answers of `transfer` after which no money has moved. Any other may have done anything: the look-up decides. */
const DEFINITE = new Set([
  'auth_error',
  'balanceError',
  'balanceError000',
  'transferHimselfForbidden',
  'convertForbidden',
  'protectDay_1_30',
  'protectCodeNotEmpty',
  'sumNotNull',
  'sumInNotMinus',
  'sumOutNotMinus',
  'fromError',
  'toError',
  'curInError',
  'curOutError',
  'outputHold',
  'transferToForbiddenCountry',
]);
const MAX_ROWS = '1000';

/** What is sent, as it is stored: the fields of `transfer` without our credentials. */
const request = z.strictObject({
  curIn: z.string(),
  curOut: z.string(),
  sumOut: z.string(),
  to: z.string(),
  comment: z.string(),
  referenceId: z.string(),
});

const id = z.union([z.string(), z.number()]).transform(String);
const accepted = z.looseObject({ success: z.union([z.boolean(), z.string()]).nullish(), historyId: id.nullish() });
const row = z.looseObject({
  id,
  to: z.string().nullish(),
  status: z.string(),
  comment: z.string().nullish(),
  referenceId: z.string().nullish(),
  debitedAmount: amount.nullish(),
  debitedCurrency: z.string().nullish(),
  creditedAmount: amount.nullish(),
  creditedCurrency: z.string().nullish(),
});
const rows = z.looseObject({ history: listOf(row) });

type Row = z.output<typeof row>;

/**
 * Transfers between Payeer accounts. Our id of the payout is the transfer's comment and `referenceId`; whether Payeer
 * refuses a reference that it has seen is not known, so a transfer that may have happened is looked up, never sent again.
 */
export function payeerPayout(settings: PayeerSettings, client: PayeerClient): Payout {
  return {
    batch: 1,
    proof: () => PROOF,
    prepare: (items) => prepare(settings, client, items),
    send: oneAtATime((attempt) => send(client, attempt)),
    find: (attempt) => find(client, attempt),
    ownSends: ({ readTo }) => ownSends(client, readTo),
    estimate: async (currency) => ({ currency, parts: 0n }),
  };
}

async function prepare({ account }: PayeerSettings, client: PayeerClient, items: readonly PayoutItem[]): Promise<Prepared> {
  const [item] = items;
  const currency = CURRENCIES.get(item?.currency ?? '');
  if (!item || items.length !== 1 || currency === undefined) return no('refused', 'one payout in a currency of Payeer at a time');
  const to = item.to['account'] ?? '';
  // An e-mail that Payeer doesn't know would register an account and take the money there.
  if (!ACCOUNT.test(to)) return no('refused', 'no Payeer account');
  if (to === account) return no('refused', 'our own account');
  try {
    if (!(await exists(client, to))) return no('refused', 'Payeer knows no such account');
    const held = (await balances(client)).get(currency);
    if ((held?.payable ?? 0n) < item.parts) return no('no_float', `less than this is payable in ${item.currency}`);
  } catch (error) {
    if (error instanceof Unreachable || error instanceof PayeerRefusal) return no('unavailable', error.message);
    throw error;
  }
  const sumOut = format(money(item.currency, item.parts));
  const raw = JSON.stringify({ curIn: currency, curOut: currency, sumOut, to, comment: item.id, referenceId: item.id });
  return {
    ok: true,
    // What Payeer keeps is known by the look-up alone.
    attempt: {
      reference: item.id,
      items: [item.id],
      raw,
      spends: [],
      fee: { currency: item.currency, parts: 0n, isMaximum: true },
    },
  };
}

const no = (reason: 'refused' | 'no_float' | 'unavailable', detail: string): Prepared => ({ ok: false, reason, detail });

async function exists(client: PayeerClient, user: string): Promise<boolean> {
  try {
    await client.call('checkUser', { user }, z.unknown());
    return true;
  } catch (error) {
    if (error instanceof PayeerRefusal && !error.errors.includes('auth_error')) return false;
    throw error;
  }
}

async function send(client: PayeerClient, attempt: Attempt): Promise<Sent> {
  const fields = request.parse(JSON.parse(attempt.raw));
  try {
    const before = await pollTwice(client, attempt.reference);
    if (before) return { outcome: 'accepted', txid: before.id };
    const { success, historyId } = await client.call('transfer', fields, accepted);
    if (historyId != null && historyId !== '0' && success !== false) return { outcome: 'accepted', txid: historyId };
    return { outcome: 'unknown', reason: 'neither a number nor an error' };
  } catch (error) {
    if (error instanceof PayeerRefusal && error.errors.some((said) => REPEATED.test(said)))
      return { outcome: 'exists', reason: error.message };
    if (error instanceof PayeerRefusal && error.errors.some((said) => DEFINITE.has(said))) {
      return { outcome: 'refused', reason: error.message };
    }
    if (error instanceof Unreachable || error instanceof PayeerRefusal) return { outcome: 'unknown', reason: error.message };
    throw error;
  }
}

async function find(client: PayeerClient, attempt: Attempt): Promise<Found> {
  const found = await poll(client, attempt.reference);
  if (!found) return { outcome: 'absent', conclusive: false };
  const { id: txid, status } = found;
  if (status !== 'success' && status !== 'canceled') return { outcome: 'pending', txid };
  const end = { height: 0, confirmations: 1, finalised: true, fee: status === 'success' ? feeOf(found) : 0n };
  return { outcome: 'mined', txid, ok: status === 'success', ...end };
}

const isOf =
  (reference: string) =>
  (one: Row): boolean =>
    one.referenceId === reference || one.comment === reference;

/** The transfer with our reference: by Payeer's own look-up, and where that shows none, among the last thousand that left. */
async function poll(client: PayeerClient, reference: string): Promise<Row | undefined> {
  const found = await pollByReference(client, reference);
  if (found) return found;
  const { history } = await client.call('history', { type: 'outgoing', sort: 'desc', count: MAX_ROWS }, rows);
  return history.find(isOf(reference));
}

async function pollByReference(client: PayeerClient, reference: string): Promise<Row | undefined> {
  const { history } = await client.call('payoutDetails', { referenceId: reference }, rows);
  return history.find(isOf(reference));
}

/** Before a transfer: without an answer nothing is sent, and a doubt takes two people, so it is asked once more. */
function pollTwice(client: PayeerClient, reference: string): Promise<Row | undefined> {
  return pollByReference(client, reference).catch(() => pollByReference(client, reference));
}

/** What left our account beyond what arrived at the other. */
function feeOf({ debitedAmount, debitedCurrency, creditedAmount, creditedCurrency }: Row): bigint {
  if (debitedAmount == null || creditedAmount == null || debitedCurrency !== creditedCurrency) return 0n;
  const fee = partsRead(debitedAmount, SCALE) - partsRead(creditedAmount, SCALE);
  return fee > 0n ? fee : 0n;
}

/**
 * What has left since the last comparison, among the last thousand transfers. One that was made by hand bears no reference of
 * ours. The first comparison only notes where it begins.
 */
async function ownSends(client: PayeerClient, readTo: string | undefined): Promise<OwnSends> {
  const { history } = await client.call('history', { type: 'outgoing', sort: 'desc', count: MAX_ROWS }, rows);
  const latest = latestOf(
    history.map((one) => one.id),
    readTo ?? '0',
  );
  const fresh = readTo === undefined ? [] : history.filter((one) => isAfter(one.id, readTo));
  const sends = fresh.map(({ id: reference, referenceId, comment, creditedAmount, creditedCurrency, to }): OwnSend => {
    const ours = ourReference(referenceId) ?? ourReference(comment);
    const currency = [...CURRENCIES].find(([, name]) => name === creditedCurrency)?.[0];
    const isRead = currency !== undefined && creditedAmount != null && to != null;
    return {
      reference,
      pays: isRead ? [{ currency, parts: partsRead(creditedAmount, SCALE), to }] : [],
      ...(ours !== undefined && { ours }),
    };
  });
  return { sends, readTo: latest };
}
