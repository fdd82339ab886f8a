import { type NumberedOwner, defineOwner } from '../collecting/index.ts';
import { PAYIN_DEEP_EVENT, PAYIN_EVENT, WAY_EVENT } from '../payments/index.ts';
import { SUBSCRIBER, applyEvents } from './apply/apply-events.ts';
import { INVOICE_OUT } from './actions/pay-from-wallet.ts';
import { invoiceCheck } from './proof/check-invoices.ts';
import { INVOICES } from './purpose.ts';
import { STORE_FUNDED } from './settlements/move-back.ts';
import { addressesById } from './rows/address-rows.ts';
import { invoiceByNumber, invoicesById } from './rows/invoice-rows.ts';
import type { StoredInvoice } from './rows/stored-invoice.ts';
import { openInvoiceStream, watchInvoices } from './views/invoice-stream.ts';

const KIND = 'invoice';

const known = (id: string, { number, email = '', locale }: StoredInvoice): NumberedOwner => ({
  owner: { kind: KIND, id },
  ...{ number, email, locale },
});

/** Registers invoices as owners of payments. An owner's id is that of a place to pay. Nothing is paid out for this kind. */
export const INVOICE_OWNER = defineOwner({
  kind: KIND,
  purposes: [INVOICES],
  outKinds: [INVOICE_OUT, STORE_FUNDED],
  handlers: [{ subscriber: SUBSCRIBER, events: [PAYIN_EVENT, PAYIN_DEEP_EVENT, WAY_EVENT], handle: applyEvents }],
  mayLeave: async () => new Map(),
  check: invoiceCheck,
  async byId(db, ids) {
    const places = await addressesById(db, ids);
    const invoices = await invoicesById(db, [...new Set([...places.values()].map(({ invoiceId }) => invoiceId))]);
    const byId = new Map(invoices.map((invoice) => [invoice.view.id, invoice]));
    return [...places.values()].flatMap(({ id, invoiceId }) => {
      const invoice = byId.get(invoiceId);
      return invoice ? [known(id, invoice)] : [];
    });
  },
  async byNumber(db, number) {
    const invoice = await invoiceByNumber(db, number);
    return invoice && known(invoice.view.id, invoice);
  },
  stream: { call: 'paymentInvoiceStatus', watch: watchInvoices, open: openInvoiceStream },
});
