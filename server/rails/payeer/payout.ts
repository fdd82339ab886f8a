import { format, money } from '@kurs/money';
import { z } from 'zod';
import { partsRead } from '../provider/amounts.ts';
import { Unreachable, isAfter, latestOf, oneAtATime, ourReference } from '../provider/index.ts';
import type { Attempt, Found, OwnSend, OwnSends, Payout, PayoutItem, Prepared, Proof, Sent } from '../rail.ts';
import { type PayeerClient, PayeerRefusal, amount, listOf } from './client.ts';
import { ACCOUNT, CURRENCIES, type PayeerSettings, SCALE } from './config.ts';
import { balances } from './balance.ts';

/** A look-up shows the transfer with our reference. A missing one proves nothing, and a reference may be accepted twice. */
const PROOF: Proof = { lookUp: 'presence', dedupeMinutes: 0 };

/** Words by which an error may mean that a reference was used before. No document lists them, so every likely word counts. */
const REPEATED = /reference|duplicate|already|exists/i;

/** Errors of `transfer` after which no money has moved. After any other error it may have moved: the look-up decides. */
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
/** Number of rows that are requested from the history. */
const MAX_ROWS = '1000';

/** Stored bytes of an attempt: the fields of `transfer`, without our credentials. */
const request = z.strictObject({
  curIn: z.string(),
  curOut: z.string(),
  sumOut: z.string(),
  to: z.string(),
  comment: z.string(),
  referenceId: z.string(),
});

const id = z.string();
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
 * Returns the payouts: transfers between Payeer accounts. The payout's id is the transfer's comment and `referenceId`. It is unknown
 * if Payeer refuses a repeated reference, so an earlier transfer is looked up before each send.
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
  // A transfer to an e-mail that Payeer doesn't know would register a new account with the money.
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
    // Only the look-up shows Payeer's fee.
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
  if (!found) return { outcome: 'absent', isConclusive: false };
  const { id: txid, status } = found;
  if (status !== 'success' && status !== 'canceled') return { outcome: 'pending', txid };
  const end = { height: 0, confirmations: 1, isFinalised: true, fee: status === 'success' ? feeOf(found) : 0n };
  return { outcome: 'mined', txid, ok: status === 'success', ...end };
}

const isOf =
  (reference: string) =>
  (one: Row): boolean =>
    one.referenceId === reference || one.comment === reference;

/** Returns the transfer with our reference: by Payeer's look-up, otherwise among the last thousand outgoing ones. */
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

/**
 * Looks up an earlier send before a transfer, and once more after a failure. Without an answer nothing is sent, and only two people
 * can end the doubt.
 */
function pollTwice(client: PayeerClient, reference: string): Promise<Row | undefined> {
  return pollByReference(client, reference).catch(() => pollByReference(client, reference));
}

/** Returns the fee: the part of the debited amount that was not credited; 0 if they can't be compared. */
function feeOf({ debitedAmount, debitedCurrency, creditedAmount, creditedCurrency }: Row): bigint {
  if (debitedAmount == null || creditedAmount == null || debitedCurrency !== creditedCurrency) return 0n;
  const fee = partsRead(debitedAmount, SCALE) - partsRead(creditedAmount, SCALE);
  return fee > 0n ? fee : 0n;
}

/**
 * Returns the transfers since the last comparison, among the last thousand. A transfer made by hand has no reference of ours. The
 * first comparison only records where the next one begins.
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
