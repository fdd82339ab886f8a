// Entries of a store: the movements of its accounts in the books, each sale with its parts. The books alone decide about sums: the
// rows of a movement always add up to its change.

import { cutRate, formatRate, fraction, rate, scaleOf } from '@kurs/money';
import type { SpanEntry } from '../../ledger/index.ts';
import type { Statements } from '../../platform/index.ts';
import { receivedOf } from '../invoices/sales.ts';
import type { Refund } from '../refunds/machine/refund.ts';
import { refundsById } from '../refunds/rows/refund-rows.ts';
import { invoicesById } from '../rows/invoice-rows.ts';
import { type InvoiceSale, salesByJournal } from '../rows/sale-rows.ts';
import type { StoredInvoice } from '../rows/stored-invoice.ts';
import { type EntryKind, type StoreAccount, entryKindOf } from './entry-kinds.ts';

/** A movement of one of a store's accounts, or a part of it. Sums are parts of the unit. */
export interface StoreEntry {
  readonly id: string;
  readonly at: Date;
  readonly kind: EntryKind;
  readonly account: StoreAccount;
  readonly unit: string;
  /** Sum before what the buyer bore of a sale, or with what became a debt of a reversal; else `net`. */
  readonly gross: bigint;
  /** Change of the account. */
  readonly net: bigint;
  /** Balance of the account after this entry. */
  readonly after: bigint;
  /** Invoice that the entry is about. */
  readonly invoice?: StoredInvoice | undefined;
  /** Sale that the entry is a part of. */
  readonly sale?: InvoiceSale | undefined;
  /** Refund that the entry is about. */
  readonly refund?: Refund | undefined;
}

type Part = Pick<StoreEntry, 'kind' | 'gross' | 'net' | 'sale'>;

/** Returns the account of a store that an entry of the books is in. */
const accountOf = ({ ref }: SpanEntry): StoreAccount => (ref.name.endsWith(':reserve') ? 'reserve' : 'balance');

/**
 * Returns the parts of a sale. A buyer who bears spread and costs has paid more than the sale brings; a store that bears them
 * receives the gross sum, and gives them up by entries of their own.
 */
function partsOfSale(kind: EntryKind, sale: InvoiceSale, isBorneByStore: boolean): Part[] {
  const { gross, spread, cost, fee } = sale;
  const less = (kind: EntryKind, parts: bigint): Part[] => (parts === 0n ? [] : [{ kind, gross: -parts, net: -parts, sale }]);
  const net = isBorneByStore ? gross : gross - spread - cost;
  const borne = isBorneByStore ? [...less('spread', spread), ...less('cost', cost)] : [];
  return [{ kind, gross, net, sale }, ...borne, ...less('fee', fee)];
}

/** Returns the parts of a movement. Without sales that add up to it, it is one part. */
function partsOf(entry: SpanEntry, sales: readonly InvoiceSale[], invoice: StoredInvoice | undefined): Part[] {
  const { change } = entry;
  const account = accountOf(entry);
  const isHere = ({ isOfReserve }: InvoiceSale): boolean => isOfReserve === (account === 'reserve');
  const own = sales.filter((sale) => sale.unit === entry.ref.unit && sale.isAltered !== true && isHere(sale));
  const kind = entryKindOf(entry.kind, account, change);
  const received = own.reduce((sum, sale) => sum + receivedOf(sale), 0n);
  const isWhole = own.length > 0 && received === change;
  if ((kind === 'sale' || kind === 'reserve_in') && isWhole && invoice)
    return own.flatMap((sale) => partsOfSale(kind, sale, invoice.view.terms.isBorneByStore));
  const [only] = own;
  // The rest of a sale that the reserve no longer has whole is an entry of the balance, or a debt.
  const isPartOf = kind === 'reversal' ? received <= change : kind === 'reversal_undone' && received >= change;
  const isOfSale = own.length === 1 && isPartOf;
  const gross = isOfSale && account === 'balance' ? received : change;
  return [{ kind, gross, net: change, ...(isOfSale && { sale: only }) }];
}

/** Returns the entries of movements in their order, each with its parts, from the first to the last. */
export async function entriesOf(db: Statements, moves: readonly SpanEntry[]): Promise<StoreEntry[][]> {
  const sales = Map.groupBy(
    await salesByJournal(
      db,
      moves.map(({ journal }) => journal),
    ),
    ({ journal }) => journal,
  );
  const causes = [...new Set(moves.map(({ cause }) => cause))];
  const refunds = await unalteredRefunds(db, causes);
  const invoices = await invoicesByCause(db, causes, refunds);
  return moves.map((move) => {
    const [invoice, refund] = [invoices.get(move.cause), refunds.get(move.cause)];
    const parts = partsOf(move, sales.get(move.journal) ?? [], invoice);
    let after = move.balance - move.change;
    return parts.map((part, at) => {
      after += part.net;
      const id = `${move.journal}.${move.leg}.${at}`;
      return { ...part, id, at: move.at, account: accountOf(move), unit: move.ref.unit, after, invoice, refund };
    });
  });
}

/** Returns the refunds among causes of journals, without those that were changed outside the product. */
async function unalteredRefunds(db: Statements, causes: readonly string[]): Promise<ReadonlyMap<string, Refund>> {
  const refunds = (await refundsById(db, causes)).filter(({ isAltered }) => isAltered !== true);
  return new Map(refunds.map((refund) => [refund.id, refund]));
}

/** Returns the invoices that causes of journals are about: the invoices themselves, and those that refunds give back. */
async function invoicesByCause(
  db: Statements,
  causes: readonly string[],
  refunds: ReadonlyMap<string, Refund>,
): Promise<ReadonlyMap<string, StoredInvoice>> {
  const ids = [...causes, ...[...refunds.values()].flatMap(({ invoiceId }) => invoiceId ?? [])];
  const invoices = new Map((await invoicesById(db, [...new Set(ids)])).map((invoice) => [invoice.view.id, invoice]));
  const given = [...refunds].flatMap(([id, { invoiceId }]) => {
    const invoice = invoices.get(invoiceId ?? '');
    return invoice ? [[id, invoice] as const] : [];
  });
  return new Map([...invoices, ...given]);
}

/** Price of one unit in the invoice's currency, and the worth of an entry at this price, in parts of that currency. */
export interface Worth {
  readonly rate: string;
  readonly parts: bigint;
}

/**
 * Returns the worth of an entry in its invoice's currency: of a sale when the payment was credited, of a refund when it was made.
 * Undefined for other entries, and for sales that brought nothing.
 */
export function worthOf(entry: StoreEntry): Worth | undefined {
  const { sale, invoice, refund, kind, net, unit } = entry;
  if (!invoice) return undefined;
  const { isBorneByStore, currency } = invoice.view.terms;
  if (refund) {
    const isIts = (kind === 'refund' || kind === 'refund_back') && unit === refund.taken.unit && currency === refund.currency;
    const { amount, taken } = refund;
    return isIts ? { rate: rateOf(taken.unit, taken.parts, currency, amount), parts: (net * amount) / taken.parts } : undefined;
  }
  if (!sale) return undefined;
  const { gross, spread, cost } = sale;
  const credited = isBorneByStore ? gross : gross - spread - cost;
  if (credited === 0n || sale.worth === 0n || credited > 0n !== sale.worth > 0n) return undefined;
  const sign = credited < 0n ? -1n : 1n;
  return {
    rate: rateOf(sale.unit, credited * sign, currency, sale.worth * sign),
    parts: kind === 'sale' || kind === 'reserve_in' ? sale.worth : (net * sale.worth) / credited,
  };
}

/** Returns the price of one unit in a currency, in which `parts` are worth `worth`. */
function rateOf(unit: string, parts: bigint, currency: string, worth: bigint): string {
  const price = fraction(worth * 10n ** BigInt(scaleOf(unit)), parts * 10n ** BigInt(scaleOf(currency)));
  return formatRate(cutRate(rate(unit, currency, price), 'down'));
}
