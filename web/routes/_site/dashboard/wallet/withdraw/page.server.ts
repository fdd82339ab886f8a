import type { Output, Routes } from '@kurs/contract';
import { format, money, parse } from '@kurs/money';
import { isCallError } from '../../../../../server/document/failure.ts';
import type { Visit } from '../../../../../server/routing/visit.ts';
import { type Meta, pageOf } from '../../orders/rows.ts';
import type { Wallet } from '../page.server.ts';
import { feeOfWay } from './sums.ts';
import { type Way, isVoucher } from './ways.ts';
import { GROUPS, type Withdrawal, type WithdrawalGroup } from './statuses.ts';

export type Book = Output<Routes['walletAddresses']>;
export type Limits = Output<Routes['walletLimits']>;

/** Data of the page of withdrawals. */
export interface WithdrawData {
  readonly now: string;
  readonly tab: 'out' | 'person';
  readonly wallets: readonly Wallet[];
  readonly unit: string | undefined;
  readonly ways: readonly Way[];
  /** Rail that the URL names. */
  readonly rail: string | undefined;
  readonly book: Book;
  readonly limits: Limits;
  readonly group: WithdrawalGroup | 'all';
  readonly rows: readonly Withdrawal[];
  readonly meta: Meta;
}

/** Data for the page of one withdrawal; `one` is undefined if it does not exist. */
export interface WithdrawalData {
  readonly now: string;
  readonly one: Withdrawal | undefined;
}

const PER_PAGE = 10;
const PROBE_CENTS = 10_000n;

/**
 * Loads the wallets, the networks of the chosen wallet, and the list of withdrawals. If the URL has an `id`, loads that one
 * withdrawal.
 */
export async function load(visit: Visit): Promise<WithdrawData | WithdrawalData> {
  const query = visit.url.searchParams;
  const id = query.get('id');
  if (id !== null) return { now: visit.now, one: await oneOf(visit, id) };
  const request = query.get('status') ?? '';
  const group = request in GROUPS ? (request as WithdrawalGroup) : 'all';
  const { client, now } = visit;
  const [wallets, book, limits, { data: rows, meta }] = await Promise.all([
    client.wallets({}),
    client.walletAddresses({}),
    client.walletLimits({}),
    client.walletWithdrawRequests({
      ...(group !== 'all' && { status: [...GROUPS[group]] }),
      page: pageOf(query),
      per_page: PER_PAGE,
    }),
  ]);
  const tab = query.get('tab') === 'person' ? 'person' : 'out';
  // If there is only one wallet, the customer doesn't have to choose.
  const wallet = wallets.length === 1 ? wallets[0] : wallets.find(({ currency }) => currency === query.get('currency'));
  const ways = wallet && tab === 'out' ? await waysOf(visit, wallet) : [];
  const rail = ways.find((way) => way.rail === query.get('rail'))?.rail;
  return { now, tab, wallets, unit: wallet?.currency, ways, rail, book, limits, group, rows, meta };
}

async function oneOf({ client }: Visit, id: string): Promise<Withdrawal | undefined> {
  const { data } = await client.walletWithdrawRequests({ q: id.slice(0, 120) });
  return data.find((one) => one.id === id);
}

/** Returns the networks and payment systems by which money can leave a wallet. */
async function waysOf({ client }: Visit, wallet: Wallet): Promise<Way[]> {
  const probe = probeOf(wallet);
  const [currencies, { directions }] = await Promise.all([client.currencies({}), client.directions({})]);
  const able = currencies.filter((one) => one.unit === wallet.currency);
  const ways = await Promise.all(
    able.map(async ({ rail, code: by, kind, network, fields }): Promise<Way> => {
      const minutes = directions.find(({ to, usual_minutes: usual }) => to === by && usual !== undefined)?.usual_minutes;
      return {
        ...{ rail, by, kind, network, fields },
        ...(minutes !== undefined && { minutes }),
        ...(await termsOf(client, { currency: wallet.currency, rail, amount: probe })),
      };
    }),
  );
  // A method without account fields pays out a voucher. If such a method is refused, its payment system only takes payments, so
  // the method is left out.
  return ways.filter((way) => !isVoucher(way) || way.refused === undefined);
}

/**
 * Returns the amount for a test quote: about 100 USD in the wallet's unit, or the available balance if that is less. Most limits
 * allow an amount of this size.
 */
function probeOf({ currency, available, total, value_usd: usd }: Wallet): string {
  const cents = BigInt(usd?.replace('.', '') ?? '0');
  if (cents <= PROBE_CENTS) return available;
  const parts = (parse(currency, total).parts * PROBE_CENTS) / cents;
  return parts < parse(currency, available).parts ? format(money(currency, parts)) : available;
}

const halfOf = ({ currency, amount }: { currency: string; amount: string }): string => {
  const { parts } = parse(currency, amount);
  return format(money(currency, parts - parts / 2n));
};

async function termsOf(
  client: Visit['client'],
  wanted: { currency: string; rail: string; amount: string },
): Promise<Pick<Way, 'terms' | 'refused'>> {
  try {
    const [whole, half] = await Promise.all([
      client.walletWithdrawQuote(wanted),
      client.walletWithdrawQuote({ ...wanted, amount: halfOf(wanted) }).catch(() => undefined),
    ]);
    // Half of the test amount may be too small to be sent. Then the method's fee is shown as a fixed amount.
    return { terms: { fee: feeOfWay(wanted.currency, whole, half ?? whole), min: whole.min } };
  } catch (error) {
    if (!isCallError(error)) throw error;
    // If only this amount is refused, smaller amounts may be accepted, so the method is still offered.
    return error.code === 'withdrawal_closed' ? { refused: error.message } : {};
  }
}
