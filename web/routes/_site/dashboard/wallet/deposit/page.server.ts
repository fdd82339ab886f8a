import type { Output, Routes } from '@kurs/contract';
import { type Qr, qrOf } from '../../../../../server/document/qr.ts';
import { isCallError } from '../../../../../server/document/failure.ts';
import type { Visit } from '../../../../../server/routing/visit.ts';
import type { Deposit } from '../page.server.ts';

export type Unit = Output<Routes['walletCurrencies']>[number];

/** A deposit that was requested through a payment system. */
export type RequestedDeposit = Output<Routes['walletDepositAsked']>;

/** Data of one deposit through a payment system, which the address names. */
export interface RequestedData {
  readonly now: string;
  readonly one: RequestedDeposit | undefined;
}

/** Currencies that can be deposited, and the receiving address of the chosen one. */
export interface DepositData {
  readonly now: string;
  readonly units: readonly Unit[];
  readonly unit: string | undefined;
  readonly rail: string | undefined;
  readonly place?: NonNullable<Output<Routes['walletStore']>['deposit']>;
  readonly qr?: Qr;
  /** True if the sandbox's own wallet can pay. */
  readonly isSandbox?: true;
  /** The payment system, if the chosen network is not a blockchain. */
  readonly way?: Unit['rails'][number];
  /** Newest deposits of the chosen unit; of all units if nothing can be deposited. */
  readonly deposits: readonly Deposit[];
}

const NEWEST = 5;

/**
 * Loads the currencies that can be deposited; with a currency and a network in the address also the wallet's permanent receiving
 * address.
 */
export async function load(visit: Visit): Promise<DepositData | RequestedData> {
  const { client, config, url, now } = visit;
  const id = url.searchParams.get('id');
  if (id !== null) return { now, one: await requestedDeposit(visit, id) };
  const [all, deposits] = await Promise.all([client.walletCurrencies({}), client.walletDeposits({})]);
  const units = all.filter(({ rails }) => rails.length > 0);
  const unit = units.find(({ currency }) => currency === url.searchParams.get('currency'));
  // A single network needs no choice.
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
