import { format, isUnit, money } from '@kurs/money';
import { type Input, type Output, type routes, say } from '@kurs/contract';
import { isReversible } from '../../compliance/index.ts';
import { type SpanEntry, accounts, balances, entryCountsAt, newestEntries } from '../../ledger/index.ts';
import { type CurrencyInfo, currencies, isChain, payKindOf } from '../../payments/index.ts';
import type { Statements } from '../../platform/index.ts';
import { latest, usdValue } from '../../rates/index.ts';
import { minOf } from '../deposits/request-deposit.ts';
import { boundsOf } from '../statements/operation.ts';
import { requestCurrencies, depositCurrencies } from '../deposits/open-deposit.ts';
import { takesDeposits } from '../purpose.ts';
import { type WalletAddress, depositsOf, unitsOf } from '../store.ts';
import { signed, text } from '../sums.ts';

type Routes = typeof routes;
type UnitShown = Output<Routes['walletCurrencies']>[number];
type Locale = 'en' | 'ru';
export type WalletShown = Output<Routes['wallets']>[number];

/** Maximum number of incoming payments that are read; nobody has more at once. */
const MAX_PENDING = 1_000;
/** A number above that of any entry. */
const NEWEST = 2n ** 63n - 1n;

/** Returns a holder's wallets: balances by the books, incoming payments by the rails. */
export async function walletsView(db: Statements, holderId: string, only?: string): Promise<WalletShown[]> {
  const units = only === undefined ? await unitsOf(db, holderId) : [only];
  const refs = units.flatMap((unit) => [
    accounts.wallet(holderId, unit),
    accounts.walletHeld(holderId, unit),
    accounts.walletUncleared(holderId, unit),
    accounts.receivable(holderId, unit),
  ]);
  const [found, coming] = [await balances(db, refs), await depositsOf(db, holderId, { isPending: true, limit: MAX_PENDING })];
  return units.map((unit, at) => {
    const [available = 0n, held = 0n, uncleared = 0n, receivable = 0n] = found.slice(at * 4, at * 4 + 4);
    const pending = coming.reduce((sum, one) => (one.unit === unit ? sum + one.parts : sum), 0n);
    const total = available + held + uncleared;
    return {
      currency: unit,
      available: text(unit, available),
      held: text(unit, held),
      uncleared: text(unit, uncleared),
      pending: text(unit, pending),
      owed: text(unit, receivable),
      total: text(unit, total),
      value_usd: valueOf(unit, total),
    };
  });
}

/** Returns the worth of an amount in USD at the market's middle rate, to the cent; null while there is no rate. */
function valueOf(unit: string, parts: bigint): string | null {
  const snapshot = latest();
  if (!snapshot || !isUnit(unit)) return null;
  try {
    return format(usdValue(snapshot, money(unit, parts)));
  } catch {
    return null;
  }
}

/** Returns the units that wallets can have in this installation, in the sequence of their currencies. */
export function unitsView(locale: Locale): UnitShown[] {
  const units = [...new Set(currencies().map(({ unit }) => unit))];
  return units.map((unit) => ({
    currency: unit,
    rails: [...depositCurrencies(unit), ...requestCurrencies(unit)]
      .filter(({ rail }) => takesDeposits(rail))
      .map((one) => railView(one, locale)),
  }));
}

/** Returns one way to pay into a wallet: an address of the holder's own, or a payment system at which each deposit is requested. */
function railView(currency: CurrencyInfo, locale: Locale): UnitShown['rails'][number] {
  const { rail, code, network, unit, dust } = currency;
  const request = !isChain(code);
  const named = (label: string): string => say(locale, label, { network }) ?? label;
  return {
    ...{ rail, currency: code, network },
    kind: payKindOf(code),
    min: request ? format(minOf(currency)) : text(unit, dust),
    is_reversible: isReversible(code),
    payer_fields: request ? (currency.payerFields ?? currency.fields).map((one) => ({ ...one, label: named(one.label) })) : [],
  };
}

export function addressView(
  currency: CurrencyInfo,
  address: WalletAddress,
): NonNullable<Output<Routes['walletStore']>['deposit']> {
  const { code, network, unit, dust } = currency;
  const { to, memo } = address;
  return { kind: 'address', currency: code, network, address: to, ...(memo !== undefined && { memo }), min: text(unit, dust) };
}

/** Returns a page of the movements of a wallet's available money within the requested days, newest first. */
export async function transactionsView(
  db: Statements,
  holderId: string,
  { currency, before, limit, from, to }: Input<Routes['walletTransactions']>,
): Promise<Output<Routes['walletTransactions']>> {
  const ref = accounts.wallet(holderId, currency);
  const bounds = boundsOf({ from, to });
  const [after = 0n] = bounds.before === undefined ? [] : await entryCountsAt(db, [ref], bounds.before);
  const [last = NEWEST] = bounds.end === undefined ? [] : await entryCountsAt(db, [ref], bounds.end);
  const upTo = before === undefined || BigInt(before) > last ? last : BigInt(before) - 1n;
  const rows = await newestEntries(db, [{ ref, after, upTo }], limit);
  const txids = await txidsOf(db, holderId, rows);
  return rows.map((entry) => {
    const txid = txids.get(entry.cause);
    return {
      id: entry.seq.toString(),
      at: entry.at.toISOString(),
      kind: entry.kind,
      currency,
      change: signed(currency, entry.change),
      balance: text(currency, entry.balance),
      ...(txid !== undefined && { txid }),
    };
  });
}

async function txidsOf(
  db: Statements,
  holderId: string,
  rows: readonly Pick<SpanEntry, 'cause'>[],
): Promise<Map<string, string>> {
  const found = await db.rows<{ payin_id: string; txid: string }>(
    'select payin_id, txid from wallet_deposit where holder_id = $1 and payin_id = any($2)',
    [holderId, rows.map(({ cause }) => cause)],
  );
  return new Map(found.map(({ payin_id, txid }) => [payin_id, txid]));
}
