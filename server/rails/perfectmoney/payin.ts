import { wallClock } from '../../platform/index.ts';
import { Unreachable, type ProviderContext, booked, observeEach } from '../provider/index.ts';
import type { AccountField, Entry, Fields, Payin, Redeemed, ObservedPayment, ReceivingAddress } from '../rail.ts';
import { type PerfectMoneyClient, PerfectMoneyRefusal } from './client.ts';
import { type PerfectMoneySettings, accountOf, currenciesOf } from './config.ts';
import { listMovements, listVouchers, daysAround, momentOf } from './vouchers.ts';

const BATCH_SIZE = 4;
/** What a rail that was away used late is still found: so many days after it was entered. */
const USED_WITHIN_DAYS = 10;

/** How often an unclear activation is asked for again, and how long each may take: all of it within one call of payments'. */
const REQUESTED_AGAIN = 2;
const ACTIVATE_MS = 4_000;

const NUMBER = /^\d{10}$/;
const CODE = /^\d{16}$/;
const FIELDS: readonly AccountField[] = [
  { name: 'number', label: 'accounts.voucher_number', type: 'text', required: true, pattern: '^\\s*(\\d\\s*){10}$' },
  { name: 'code', label: 'accounts.voucher_code', type: 'text', required: true, pattern: '^\\s*(\\d\\s*){16}$' },
];

/** Taking vouchers: what a customer enters is activated to our account, which is the payment. */
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
    // A payout needs no account: what is bought is shown to the customer.
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

/** A number and a code without the spaces that people write into them. */
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
  // A voucher is activated once, however often it is asked for, so asking again does no harm. A "no" after an unclear answer
  // may mean that the first had been a yes: then only the look decides.
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

/** What Perfect Money's words mean. Its "no" is definite: an error stands where the voucher would be. */
function refusalOf(detail: string): Redeemed {
  if (/login|API is disabled|\bIP\b/i.test(detail)) return { outcome: 'refused', reason: 'unavailable', detail };
  if (/currency|payee_?\s?account/i.test(detail)) return { outcome: 'refused', reason: 'foreign', detail };
  if (/ev_number|ev_code|voucher|activat/i.test(detail)) return { outcome: 'refused', reason: 'wrong', detail };
  return { outcome: 'unknown', detail };
}

/**
 * What an entered voucher was worth: by the list of vouchers, which says who activated it, else by what came to our
 * accounts. Of a voucher in another currency than was asked for, that currency is told.
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
    // Anyone who knows only the number has not paid with it.
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
    // What goes back is a new voucher, shown to the customer.
    source: { fields: {}, key: '' },
    status: booked(at),
  };
}

const UUID_V7 = /^([0-9a-f]{8})-([0-9a-f]{4})-7[0-9a-f]{3}-/;

/** When an entry was made, by its id (RFC 9562 §5.7: the first 48 bits are milliseconds). */
function timeOf(id: string): Date | undefined {
  const match = UUID_V7.exec(id);
  return match ? new Date(Number.parseInt(`${match[1]}${match[2]}`, 16)) : undefined;
}
