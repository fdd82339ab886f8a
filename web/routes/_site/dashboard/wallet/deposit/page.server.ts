import type { Output, Routes } from '@kurs/contract';
import { type Qr, qrOf } from '../../../../../server/document/qr.ts';
import { isCallError } from '../../../../../server/document/failure.ts';
import type { Visit } from '../../../../../server/routing/visit.ts';
import type { Deposit } from '../page.server.ts';

export type Unit = Output<Routes['walletCurrencies']>[number];

/** Deposit that was requested through a payment system. */
export type RequestedDeposit = Output<Routes['walletDepositAsked']>;

/** Data for the page of one deposit through a payment system. The URL names the deposit. */
export interface RequestedData {
  readonly now: string;
  readonly one: RequestedDeposit | undefined;
}

/** Data for the page of a new deposit: the units that can be deposited, and the receiving address for the chosen unit. */
export interface DepositData {
  readonly now: string;
  readonly units: readonly Unit[];
  readonly unit: string | undefined;
  readonly rail: string | undefined;
  readonly place?: NonNullable<Output<Routes['walletStore']>['deposit']>;
  readonly qr?: Qr;
  /** Set in the sandbox, whose own wallet can pay to the receiving address. */
  readonly isSandbox?: true;
  /** Payment system of the chosen rail; absent if the rail is a blockchain. */
  readonly way?: Unit['rails'][number];
  /** Newest deposits of the chosen unit; the newest deposits of all units if nothing can be deposited. */
  readonly deposits: readonly Deposit[];
}

const NEWEST = 5;

/**
 * Loads the units that can be deposited. If the URL names a unit and a rail, also loads the permanent receiving address of that
 * wallet.
 */
export async function load(visit: Visit): Promise<DepositData | RequestedData> {
  const { client, config, url, now } = visit;
  const id = url.searchParams.get('id');
  if (id !== null) return { now, one: await requestedDeposit(visit, id) };
  const [all, deposits] = await Promise.all([client.walletCurrencies({}), client.walletDeposits({})]);
  const units = all.filter(({ rails }) => rails.length > 0);
  const unit = units.find(({ currency }) => currency === url.searchParams.get('currency'));
  // If there is only one rail, the customer doesn't have to choose.
  const request = url.searchParams.get('rail');
  const rail = unit?.rails.length === 1 ? unit.rails[0]?.rail : unit?.rails.find((one) => one.rail === request)?.rail;
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
  return place ? { ...shown, place, qr: qrOf(place.address), ...(config.mode === 'sandbox' && { isSandbox: true }) } : shown;
}

const GONE: readonly string[] = ['not_found', 'validation'];

async function requestedDeposit({ client }: Visit, id: string): Promise<RequestedDeposit | undefined> {
  try {
    return await client.walletDepositAsked({ id });
  } catch (error) {
    if (isCallError(error) && GONE.includes(error.code)) return undefined;
    throw error;
  }
}
