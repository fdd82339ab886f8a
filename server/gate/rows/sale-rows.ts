// Rows of sales. Each has a MAC: a sale that SQL changed is not shown.

import { type Statements, type Tx, isMac, macOf, steady } from '../../platform/index.ts';
import type { Sale, SaleSums } from '../invoices/sales.ts';

/** A sale of an invoice, with the journal that posted it. */
export interface InvoiceSale extends Sale {
  readonly journal: string;
  readonly invoiceId: string;
  /** True if the row was changed outside the product. */
  readonly isAltered?: true;
}

type SaleRow = Omit<InvoiceSale, keyof SaleSums | 'isAltered'> & Record<keyof SaleSums, string> & { readonly mac: string | null };

const COLUMNS =
  'journal, payment_id as "paymentId", invoice_id as "invoiceId", unit, in_reserve as "isOfReserve", gross, spread, cost, fee, worth, mac';

const contentOf = ({
  journal,
  paymentId,
  invoiceId,
  unit,
  isOfReserve,
  gross,
  spread,
  cost,
  fee,
  worth,
}: InvoiceSale): string => {
  const sums = [`${gross}`, `${spread}`, `${cost}`, `${fee}`, `${worth}`];
  return steady([journal, paymentId, invoiceId, unit, ...sums, ...(isOfReserve ? ['reserve'] : [])]);
};

function fromRow({ mac, gross, spread, cost, fee, worth, ...row }: SaleRow): InvoiceSale {
  const sums = { gross: BigInt(gross), spread: BigInt(spread), cost: BigInt(cost), fee: BigInt(fee), worth: BigInt(worth) };
  const sale: InvoiceSale = { ...row, ...sums };
  return isMac('invoice sale', contentOf(sale), mac) ? sale : { ...sale, isAltered: true };
}

/** Adds sales. */
export async function insertSales(tx: Tx, sales: readonly InvoiceSale[]): Promise<void> {
  if (sales.length === 0) return;
  const rows = sales.map((sale) => ({
    ...{ journal: sale.journal, payment_id: sale.paymentId, invoice_id: sale.invoiceId, unit: sale.unit },
    in_reserve: sale.isOfReserve,
    ...{ gross: `${sale.gross}`, spread: `${sale.spread}`, cost: `${sale.cost}`, fee: `${sale.fee}`, worth: `${sale.worth}` },
    mac: macOf('invoice sale', contentOf(sale)),
  }));
  await tx.run(
    `insert into invoice_sale select * from jsonb_populate_recordset(null::invoice_sale, $1::jsonb)`,
    [JSON.stringify(rows)],
    { name: 'gate.insert_sales' },
  );
}

/** Returns the sales of journals, in the order of their payments. */
export async function salesByJournal(db: Statements, journals: readonly string[]): Promise<InvoiceSale[]> {
  if (journals.length === 0) return [];
  const rows = await db.rows<SaleRow>(
    `select ${COLUMNS} from invoice_sale where journal = any ($1::uuid[]) order by journal, payment_id`,
    [journals],
    { name: 'gate.sales_by_journal' },
  );
  return rows.map(fromRow);
}

/** Returns the sales of invoices. */
export async function salesOfInvoices(db: Statements, invoiceIds: readonly string[]): Promise<InvoiceSale[]> {
  const rows = await db.rows<SaleRow>(`select ${COLUMNS} from invoice_sale where invoice_id = any ($1::uuid[])`, [invoiceIds]);
  return rows.map(fromRow);
}
