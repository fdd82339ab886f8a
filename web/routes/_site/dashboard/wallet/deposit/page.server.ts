import type { Output, Routes } from '@kurs/contract';
import { type Qr, qrOf } from '../../../../../server/document/qr.ts';
import { isCallError } from '../../../../../server/document/failure.ts';
import type { Visit } from '../../../../../server/routing/visit.ts';
import type { Deposit } from '../page.server.ts';

export type Unit = Output<Routes['walletCurrencies']>[number];

/** A deposit that was asked for at a payment system. */
export type AskedDeposit = Output<Routes['walletDepositAsked']>;

/** One deposit at a payment system, which the address names. */
export interface AskedData {
  readonly now: string;
  readonly one: AskedDeposit | undefined;
}

/** What can be deposited, and where the chosen currency is paid to. */
export interface DepositData {
  readonly now: string;
  readonly units: readonly Unit[];
  readonly unit: string | undefined;
  readonly rail: string | undefined;
  readonly place?: NonNullable<Output<Routes['walletStore']>['deposit']>;
  readonly qr?: Qr;
  /** Coin can be paid from the sandbox's wallet. */
  readonly sandbox?: true;
  /** The payment system that it is asked for at, where the chosen way isn't an address. */
  readonly way?: Unit['rails'][number];
  /** The newest payments of the chosen unit; of all where nothing can be deposited. */
  readonly deposits: readonly Deposit[];
}

const NEWEST = 5;

/** Loads what can be deposited; with a currency and a network in the address, the place to pay to, which is always the same. */
export async function load(visit: Visit): Promise<DepositData | AskedData> {
  const { client, config, url, now } = visit;
  const id = url.searchParams.get('id');
  if (id !== null) return { now, one: await askedDeposit(visit, id) };
  const [all, deposits] = await Promise.all([client.walletCurrencies({}), client.walletDeposits({})]);
  const units = all.filter(({ rails }) => rails.length > 0);
  const unit = units.find(({ currency }) => currency === url.searchParams.get('currency'));
  // Where there is but one network nobody has to choose it.
  const asked = url.searchParams.get('rail');
  const rail = unit?.rails.length === 1 ? unit.rails[0]?.rail : unit?.rails.find((one) => one.rail === asked)?.rail;
  const shown = {
    now,
    units,
    unit: unit?.currency,
    rail,
    deposits: deposits.filter((one) => units.length === 0 || one.unit === unit?.currency).slice(0, NEWEST),
  };
  if (!unit || rail === undefined) return shown;
  const way = unit.rails.find((one) => one.rail === rail);
  if (way && way.kind !== 'address') return { ...shown, way };
  const { deposit: place } = await client.walletStore({ currency: unit.currency, rail });
  return place ? { ...shown, place, qr: qrOf(place.address), ...(config.mode === 'sandbox' && { sandbox: true }) } : shown;
}

const GONE: readonly string[] = ['not_found', 'validation'];

async function askedDeposit({ client }: Visit, id: string): Promise<AskedDeposit | undefined> {
  try {
    return await client.walletDepositAsked({ id });
  } catch (error) {
    if (isCallError(error) && GONE.includes(error.code)) return undefined;
    throw error;
  }
}
