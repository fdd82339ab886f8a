import type { Locale, Output, Routes } from '@kurs/contract';
import { publishedRules } from '../compliance/index.ts';
import { matureDays } from '../exchange/index.ts';
import { shownBounds } from '../moneyout/index.ts';
import { currencies, recallVoucherDays } from '../payments/index.ts';
import { listedCurrency, ownCost, sendingCost } from '../pricing/index.ts';
import { affiliateRules } from '../referrals/index.ts';
import { unitsView } from '../wallets/index.ts';

type Rules = Output<Routes['rules']>;
type Way = Rules['ways'][number];

/** Returns the operator's rules and the current costs of a wallet, for pages. */
export const rulesOf = (locale: Locale): Rules => ({
  ...publishedRules(),
  money_out: shownBounds(),
  affiliates: { ...affiliateRules(), matures: matureDays() },
  voucher_days: recallVoucherDays(),
  ways: waysOf(locale),
});

/** Returns how each currency comes into a wallet and leaves it; currencies that do neither are left out. */
function waysOf(locale: Locale): Way[] {
  const rails = new Map(unitsView(locale).flatMap((unit) => unit.rails.map((rail) => [rail.currency, rail])));
  return currencies().flatMap(({ code, unit }) => {
    const [rail, withdrawal] = [rails.get(code), sendingCost(code)];
    if (!listedCurrency(code) || (!rail && !withdrawal)) return [];
    // A payment by a network costs only its sender.
    const deposit = rail && { kind: rail.kind, minimum: rail.min, ...(rail.kind !== 'address' && ownCost(code, 'payin')) };
    return [{ currency: code, unit, ...(deposit && { deposit }), ...(withdrawal && { withdrawal }) }];
  });
}
