import { wallClock } from '../../platform/index.ts';
import { Unreachable, type ProviderContext, booked, observeEach } from '../provider/index.ts';
import type { AccountField, Entry, Fields, Payin, Redeemed, ObservedPayment, ReceivingAddress } from '../rail.ts';
import { type PerfectMoneyClient, PerfectMoneyRefusal } from './client.ts';
import { type PerfectMoneySettings, accountOf, currenciesOf } from './config.ts';
import { listMovements, listVouchers, daysAround, momentOf } from './vouchers.ts';

const BATCH_SIZE = 4;
/** Days after its entry in which a voucher's activation is searched: a rail that was away may activate it late. */
const USED_WITHIN_DAYS = 10;

/** Number of retries of an unclear activation, and the timeout of each try. Together they fit into one call of `redeem`. */
const REQUESTED_AGAIN = 2;
const ACTIVATE_MS = 4_000;

const NUMBER = /^\d{10}$/;
const CODE = /^\d{16}$/;
const FIELDS: readonly AccountField[] = [
  { name: 'number', label: 'accounts.voucher_number', type: 'text', required: true, pattern: '^\\s*(\\d\\s*){10}$' },
  { name: 'code', label: 'accounts.voucher_code', type: 'text', required: true, pattern: '^\\s*(\\d\\s*){16}$' },
];

/** Returns the pay-in side: a voucher that a customer enters is activated to our account, which is the payment. */
export function perfectMoneyPayin(
  settings: PerfectMoneySettings,
  client: PerfectMoneyClient,
  { reference }: ProviderContext,
): Payin {
  const observe = observeEach(BATCH_SIZE, async (ours) => {
    const seen: ObservedPayment[] = [];
    for (const entry of ours.entries ?? []) seen.push(...[(await observedPaymentOf(settings, client, ours, entry)) ?? []].flat());
    return seen;
  });
  return {
    // A payout needs no account: the bought voucher is shown to the customer.
    checkAccount: () => ({ ok: true, fields: {}, key: '' }),
    instruct: (_currency, index) => ({ to: reference(index) }),
    uri: () => '',
    tip: async () => ({ height: 0, hash: '' }),
    open: async ({ currency }) =>
      accountOf(settings, currency) === undefined
        ? { ok: false, reason: 'refused', detail: `there is no account for ${currency}` }
        : { ok: true, way: { kind: 'voucher', fields: FIELDS } },
    redeem: (entry) => redeem(settings, client, entry),
    observe: async (references, unread) => {
      const seen = await observe(references, unread);
      return [...new Map(seen.map((observedPayment) => [observedPayment.key, observedPayment])).values()];
    },
  };
}

/** Returns a voucher's number and code without the spaces that people type into them. */
const digitsOf = (fields: Fields): { number: string; code: string } => ({
  number: (fields['number'] ?? '').replaceAll(/\s/g, ''),
  code: (fields['code'] ?? '').replaceAll(/\s/g, ''),
});

async function redeem(settings: PerfectMoneySettings, client: PerfectMoneyClient, entry: Entry): Promise<Redeemed> {
  const { number, code } = digitsOf(entry.fields);
  const account = accountOf(settings, entry.currency);
  if (account === undefined) return { outcome: 'refused', reason: 'unavailable', detail: 'no account of this currency' };
  if (!NUMBER.test(number) || !CODE.test(code)) return { outcome: 'refused', reason: 'wrong', detail: 'not a voucher' };
  const activate = (): Promise<Redeemed> => activateOnce(client, { Payee_Account: account, ev_number: number, ev_code: code });
  const first = await activate();
  if (first.outcome !== 'unknown') return first;
  // A voucher can be activated only once, so a retry does no harm. A refusal after an unclear answer may mean that the first
  // try succeeded: then only `observe` decides.
  for (let again = 0; again < REQUESTED_AGAIN; again += 1) {
    if ((await activate()).outcome === 'redeemed') return { outcome: 'redeemed' };
  }
  return first;
}

async function activateOnce(client: PerfectMoneyClient, fields: Readonly<Record<string, string>>): Promise<Redeemed> {
  try {
    const answer = await client.act('ev_activate', fields, ACTIVATE_MS);
    if (answer.get('VOUCHER_NUM') === fields['ev_number'] && answer.has('VOUCHER_AMOUNT')) return { outcome: 'redeemed' };
    return { outcome: 'unknown', detail: 'an answer without the voucher' };
  } catch (error) {
    if (error instanceof PerfectMoneyRefusal) return refusalOf(error.message);
    if (error instanceof Unreachable) return { outcome: 'unknown', detail: error.message };
    throw error;
  }
}

/** Reads the reason of a refusal. A refusal is definite: the answer has an error instead of the voucher. */
function refusalOf(detail: string): Redeemed {
  if (/login|API is disabled|\bIP\b/i.test(detail)) return { outcome: 'refused', reason: 'unavailable', detail };
  if (/currency|payee_?\s?account/i.test(detail)) return { outcome: 'refused', reason: 'foreign', detail };
  if (/ev_number|ev_code|voucher|activat/i.test(detail)) return { outcome: 'refused', reason: 'wrong', detail };
  return { outcome: 'unknown', detail };
}

/**
 * Returns the payment of an entered voucher, in the voucher's own currency; undefined if we didn't get it. The list of vouchers
 * names the account that activated it. A voucher that is not in the list is searched among our accounts' movements. Throws
 * `PerfectMoneyRefusal` or `Unreachable`.
 */
async function observedPaymentOf(
  settings: PerfectMoneySettings,
  client: PerfectMoneyClient,
  { to }: ReceivingAddress,
  { id, fields }: Entry,
): Promise<ObservedPayment | undefined> {
  const { number, code } = digitsOf(fields);
  if (!NUMBER.test(number) || !CODE.test(code)) return undefined;
  const ours = new Set(currenciesOf(settings).map((currency) => accountOf(settings, currency)));
  const enteredAt = timeOf(id) ?? wallClock();
  const listed = (await listVouchers(client, { number })).find((voucher) => voucher.number === number);
  if (listed) {
    // A customer who knows only the number has not paid with the voucher.
    if (!ours.has(listed.payee) || listed.activated === '' || listed.code !== code) return undefined;
    return seen(to, number, { ...listed, at: momentOf(listed.activated) ?? enteredAt });
  }
  const movements = await listMovements(client, daysAround(enteredAt, 0, USED_WITHIN_DAYS));
  const named = new RegExp(`(?<!\\d)${number}(?!\\d)`);
  const came = movements.find(({ type, payee, memo }) => /^income$/i.test(type) && ours.has(payee) && named.test(memo));
  return came && seen(to, number, { ...came, at: momentOf(came.time) ?? enteredAt });
}

function seen(
  to: string,
  number: string,
  what: { currency: string | undefined; parts: bigint; payer: string; at: Date },
): ObservedPayment {
  const { currency, parts, payer, at } = what;
  if (currency === undefined) throw new Unreachable('perfectmoney: a voucher of a currency that is none of ours');
  return {
    ...{ key: `ev:${number}`, txid: number, currency, to, parts },
    from: payer === '' ? [] : [payer],
    // A refund is a new voucher, shown to the customer.
    source: { fields: {}, key: '' },
    status: booked(at),
  };
}

const UUID_V7 = /^([0-9a-f]{8})-([0-9a-f]{4})-7[0-9a-f]{3}-/;

/** Returns the time of an entry, by its id (RFC 9562 §5.7: the first 48 bits are milliseconds); undefined for other ids. */
function timeOf(id: string): Date | undefined {
  const match = UUID_V7.exec(id);
  return match ? new Date(Number.parseInt(`${match[1]}${match[2]}`, 16)) : undefined;
}
