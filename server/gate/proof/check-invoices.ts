// Checks invoices against the books: their rows, their payments, and the balances of their accounts.

import {
  type AccountType,
  type BooksCheck,
  type Fault,
  type RowBalance,
  type Scope,
  accounts,
  accuse,
  flowsOf,
} from '../../ledger/index.ts';
import { addressFaults, crossingsOf, payinFaults, undeliveredOwners } from '../../payments/index.ts';
import { type Statements, inGroupsById } from '../../platform/index.ts';
import type { Invoice } from '../invoices/invoice.ts';
import { ownSums } from '../judge/own-sums.ts';
import { type InvoiceAddress, addressesOf, alteredAddresses } from '../rows/address-rows.ts';
import { settledFaults } from '../settled/check-settled.ts';
import { settlementCheck } from '../settlements/check-settlements.ts';
import { alteredInvoices, holdingInvoices, invoicesAfter, openInvoiceIds } from '../rows/invoice-rows.ts';
import type { StoredInvoice } from '../rows/stored-invoice.ts';
import { saleFaults } from './sale-faults.ts';

const ACCOUNT_TYPES: readonly AccountType[] = ['invoice:in', 'invoice:set', 'invoice:reserve'];

const wordsOf = ({ number, view }: StoredInvoice): string => `the invoice ${number}, ${view.state}`;

/** Returns the balances that the accounts of an invoice should have. */
function balancesOf(stored: StoredInvoice): RowBalance[] {
  const { view } = stored;
  if (view.terms.isTest) return [];
  const of = wordsOf(stored);
  return ownSums(view).map((own) => ({ ...own, of }));
}

/** Returns the payments of an invoice that a rail recorded: none of a test invoice. */
const recordedOf = ({ terms, payments }: Invoice) =>
  terms.isTest ? [] : payments.filter(({ walletOf }) => walletOf === undefined);

/** Returns faults of invoices whose payments or places differ from what the payments room recorded. */
async function strange(db: Statements, ids: readonly string[] | undefined): Promise<Fault[]> {
  const faults: Fault[] = [];
  const read = (behind: string | undefined, max: number) => invoicesAfter(db, { behind, max, ids });
  for await (const invoices of inGroupsById(read, ({ view }) => view.id)) {
    const known = invoices.flatMap((stored) =>
      recordedOf(stored.view)
        .filter(({ status }) => status === 'final')
        .map(({ id, currency, parts, addressId: owner, source }) => ({
          ...{ id, of: wordsOf(stored), whole: { currency, parts, owner, source } },
        })),
    );
    const places = await addressesOf(
      db,
      invoices.map(({ view }) => view.id),
    );
    faults.push(
      ...(await payinFaults(db, known)),
      ...(await notHandedOver(db, invoices)),
      ...(await settledFaults(db, invoices)),
      ...(await saleFaults(db, invoices)),
      ...(await miscounted(db, invoices, places)),
    );
    const shown = places.map(({ id, to }) => ({ owner: { kind: 'invoice', id }, to, of: `the place ${id} of an invoice` }));
    faults.push(...(await addressFaults(db, shown)));
  }
  return faults;
}

/**
 * Returns faults of payments of which the invoice counts another amount than arrived and was not taken back. Places whose events
 * are on their way are left out: their invoices are behind.
 */
async function miscounted(
  db: Statements,
  invoices: readonly StoredInvoice[],
  places: readonly InvoiceAddress[],
): Promise<Fault[]> {
  const invoiceIds = new Map(places.map(({ id, invoiceId }) => [id, invoiceId]));
  const undelivered = await undeliveredOwners(db, 'invoice');
  const { payins } = await crossingsOf(db, 'invoice', { owners: [...invoiceIds.keys()], intents: [] });
  const byId = new Map(invoices.map((stored) => [stored.view.id, stored]));
  return payins.flatMap(({ id, owner, currency, counts }): Fault[] => {
    const stored = byId.get(invoiceIds.get(owner) ?? '');
    if (!stored || undelivered.has(owner)) return [];
    const payment = stored.view.payments.find((one) => one.id === id);
    const own = payment?.status === 'final' ? payment.parts - (payment.taken ?? 0n) : 0n;
    const words = `${counts} ${currency} of it count, and ${wordsOf(stored)} counts ${own}`;
    return own === counts ? [] : [{ check: 'payin', account: `payin:${id}`, words }];
  });
}

/** Types of accounts from which an unallocated payment gets money that an invoice hands over, or gives back. */
const HANDED = /^invoice:in$/;
const GIVEN = /^(desk:free|invoice:set)$/;

/** Returns faults of payments whose payer's parts didn't go to the unallocated payment that the invoice names. */
async function notHandedOver(db: Statements, invoices: readonly StoredInvoice[]): Promise<Fault[]> {
  const known = invoices.flatMap((stored) =>
    stored.view.payments.flatMap(({ id, unit, handedOver = [], givenBack }) => {
      const opened = [
        ...handedOver.map((one) => ({ ...one, from: HANDED })),
        ...(givenBack ? [{ ...givenBack, from: GIVEN }] : []),
      ];
      return opened.flatMap(({ orderId, parts, from }) =>
        orderId === undefined
          ? []
          : [{ id, of: wordsOf(stored), account: accounts.unallocated(orderId, unit).name, parts, from }],
      );
    }),
  );
  if (known.length === 0) return [];
  const names = known.map(({ account }) => account);
  const flows = await flowsOf(db, names, { without: [] });
  const moved = (into: string, from: RegExp): bigint =>
    flows.reduce((sum, { account, type, parts }) => (account === into && from.test(type) ? sum + parts : sum), 0n);
  return known.flatMap(({ id, of, account, parts, from }): Fault[] =>
    moved(account, from) === parts
      ? []
      : [{ check: 'payin', account: `payin:${id}`, words: `${of} handed over another amount of it than the books` }],
  );
}

/** Returns the ids of invoices that a night's proof checks: causes of its journals, and those that may still change. */
const idsIn = async (db: Statements, scope: Scope | undefined): Promise<string[] | undefined> =>
  scope && [...new Set([...scope.causes, ...(await openInvoiceIds(db))])];

/** Checks of the books for invoices: money that stands for them, and the rows behind their journals. */
export const invoiceCheck: BooksCheck = {
  accountTypes: [...ACCOUNT_TYPES, ...settlementCheck.accountTypes],
  causes: [
    ...settlementCheck.causes,
    {
      kinds: [
        'invoice_reserve',
        'invoice_payin',
        'invoice_converted',
        'invoice_settled',
        'invoice_settled_again',
        'invoice_expired',
        'invoice_reversed',
        'merchant_released',
      ],
      rows: 'select id from invoice',
    },
  ],
  balances: async (db) => [...(await holdingInvoices(db)).flatMap(balancesOf), ...(await settlementCheck.balances(db))],
  async faults(db, scope) {
    const ids = await idsIn(db, scope);
    return [
      ...accuse('invoice', await alteredInvoices(db, ids), 'the invoice is not what was made and booked'),
      ...accuse('invoice', await alteredAddresses(db, ids), 'the place of an invoice is not the one that was handed out'),
      ...(await strange(db, ids)),
      ...((await settlementCheck.faults?.(db, scope)) ?? []),
    ];
  },
};
