// Bindings of the contract's calls about invoices to this room's verbs; no logic.

import { Problem, type Routes } from '@kurs/contract';
import type { Sender } from '../deliveries/index.ts';
import {
  type Context,
  type Db,
  type Sealer,
  type Statements,
  type Work,
  alsoAbout,
  answeredChange,
  listMeta,
  userOf,
} from '../platform/index.ts';
import { cancelInvoice, leaveAddress } from './actions/change-invoice.ts';
import { acceptInvoice, giveInvoiceBack } from './actions/decide-invoice.ts';
import { chooseAsBuyer } from './actions/choose-method.ts';
import { makeInvoice } from './actions/make-invoice.ts';
import { archiveInvoice, markInvoice } from './actions/mark-invoice.ts';
import { payFromWallet } from './actions/pay-from-wallet.ts';
import { requireAsStored } from './rows/invoice-mac.ts';
import { readInvoice } from './rows/invoice-rows.ts';
import type { StoredInvoice } from './rows/stored-invoice.ts';
import { openStore } from './stores/store-rows.ts';
import { callersPermissions } from './stores/views.ts';
import { payTest } from './test-store/pay-test.ts';
import { invoicePage } from './views/invoice-list.ts';
import { statusOf } from './views/invoice-stream.ts';
import { decisionsOf } from './views/decision-wire.ts';
import { invoiceInList, invoiceWire } from './views/invoice-wire.ts';
import { payWire } from './views/pay-wire.ts';
import { isPayer, payerSecret } from './views/payer-orders.ts';
import { previewOf } from './views/preview.ts';

type Names =
  | 'invoiceMake'
  | 'invoices'
  | 'storeInvoice'
  | 'invoiceCancel'
  | 'storeTestPay'
  | 'invoiceAccept'
  | 'invoiceGiveBack'
  | 'storePreview'
  | 'invoiceMark'
  | 'invoiceArchive'
  | 'paymentInvoice'
  | 'paymentInvoiceStatus'
  | 'paymentMethod'
  | 'paymentEmail'
  | 'paymentTest'
  | 'paymentFromWallet';

interface InvoiceDeps {
  readonly db: Db;
  readonly sender: Sender;
  /** Decrypts stored second-factor secrets, for payments from wallets. */
  readonly sealer: Sealer;
}

/** True if the caller may change the settings of a store. */
const managesStore = (context: Context, id: string): boolean => callersPermissions(context, { id }).includes('store.manage');

/** Returns the handlers of the calls about invoices, of members and keys and of buyers. */
export function invoiceRoutes(deps: InvoiceDeps): { [N in Names]: Work<Routes[N]> } {
  const { db, sender } = deps;
  const toStore = async (invoice: StoredInvoice) => invoiceWire(db, invoice, sender.url, await db.now());
  const toBuyer = (invoice: StoredInvoice, { locale, user }: Context, secret?: string) =>
    payWire({ db, tokens: sender.tokens }, invoice, { locale, holderId: user?.id, secret });
  return {
    async invoiceMake(input, context) {
      const answer = await answeredChange(
        db,
        context,
        (keep) => makeInvoice(db, input, context.locale, { mayExceed: managesStore(context, input.store), keep }),
        (read: Statements, made: StoredInvoice) => invoiceWire(read, made, sender.url, made.updatedAt),
      );
      alsoAbout({ invoiceId: answer.id });
      return answer;
    },
    async invoices(input) {
      const { timezone } = await openStore(db, input.store);
      const { invoices, total, next } = await invoicePage(db, input, timezone);
      const decisions = await decisionsOf(db, invoices, await db.now());
      const data = invoices.map((invoice) => invoiceInList(invoice, decisions.get(invoice.view.id)));
      return { data, meta: listMeta(input, total, { rows: invoices.length, next }) };
    },
    async storeInvoice({ store, id }) {
      const found = await readInvoice(db, id);
      if (found.view.store.id !== store) throw new Problem('invoice_unknown');
      return toStore(requireAsStored(found));
    },
    storePreview: (input, { locale }) => previewOf(db, input, locale),
    invoiceMark: async (input) => toStore(await markInvoice(db, input)),
    invoiceArchive: async ({ archived: isArchived, ...which }) => toStore(await archiveInvoice(db, { ...which, isArchived })),
    invoiceCancel: async (input) => toStore(await cancelInvoice(db, input)),
    storeTestPay: async (input, context) => toStore(await payTest(deps, input, context.locale)),
    invoiceAccept: async (input) => toStore(await acceptInvoice(deps, input)),
    invoiceGiveBack: async (input) => toStore(await giveInvoiceBack(deps, input)),
    paymentInvoice: async ({ id, secret }, context) => toBuyer(requireAsStored(await readInvoice(db, id)), context, secret),
    paymentInvoiceStatus: async ({ id }) => statusOf(db, requireAsStored(await readInvoice(db, id))),
    async paymentMethod(input, context) {
      const { invoice, isFirst } = await chooseAsBuyer(db, input, context);
      const shown = await toBuyer(invoice, context);
      return isFirst ? { ...shown, secret: payerSecret(sender.tokens, invoice.view.id) } : shown;
    },
    async paymentEmail({ secret, ...left }, context) {
      return toBuyer(await leaveAddress(db, { ...left, isPayer: isPayer(sender.tokens, left.id, secret) }), context, secret);
    },
    paymentTest: async (input, context) => toBuyer(await payTest(deps, input, context.locale), context),
    async paymentFromWallet(input, context) {
      const user = userOf(context);
      return toBuyer(await payFromWallet(deps, user, input, context), context);
    },
  };
}
