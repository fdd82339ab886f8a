import type { Output, Routes } from '@kurs/contract';
import { type Qr, qrOf } from '../../../../server/qr.ts';
import type { Visit } from '../../../../server/visit.ts';
import type { Deposit } from './wallet-data.ts';

export type Unit = Output<Routes['walletCurrencies']>[number];

/** What can be deposited, and where the chosen currency is paid to. */
export interface DepositData {
  readonly now: string;
  readonly units: readonly Unit[];
  readonly unit: string | undefined;
  readonly rail: string | undefined;
  readonly place?: NonNullable<Output<Routes['walletStore']>['deposit']>;
  readonly qr?: Qr;
  /** The newest payments of the chosen unit. */
  readonly deposits: readonly Deposit[];
}

const NEWEST = 5;

/** Loads what can be deposited; with a currency and a network in the address, the place to pay to, which is always the same. */
export async function loadDeposit({ client, url, now }: Visit): Promise<DepositData> {
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
    deposits: deposits.filter((one) => one.unit === unit?.currency).slice(0, NEWEST),
  };
  if (!unit || rail === undefined) return shown;
  const { deposit: place } = await client.walletStore({ currency: unit.currency, rail });
  return place ? { ...shown, place, qr: qrOf(place.address) } : shown;
}
