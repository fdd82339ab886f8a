// Rows of the places at which invoices are paid. Each has a MAC: a place that SQL gave to another invoice takes nothing.

import { type Statements, type Tx, idsOfAltered, isMac, macOf, steady } from '../../platform/index.ts';

/** A place to pay. Its id is the owner of the payments that arrive there. */
export interface InvoiceAddress {
  readonly id: string;
  readonly invoiceId: string;
  readonly storeId: string;
  readonly currency: string;
  /** Payment option whose reference it is; undefined for an address on a chain. */
  readonly optionId: string | undefined;
  readonly to: string;
  readonly memo: string | undefined;
  readonly createdAt: Date;
  /** True if the row was changed outside the product. */
  readonly isAltered?: true;
}

interface AddressRow extends Omit<InvoiceAddress, 'optionId' | 'memo' | 'isAltered'> {
  readonly optionId: string | null;
  readonly memo: string | null;
  readonly mac: string | null;
}

const COLUMNS = `id, invoice_id as "invoiceId", store_id as "storeId", currency, option_id as "optionId", pay_to as "to", memo,
  created_at as "createdAt", mac`;

const contentOf = ({ id, invoiceId, storeId, currency, optionId, to, memo, createdAt }: InvoiceAddress): string =>
  steady([id, invoiceId, storeId, currency, optionId ?? null, to, memo ?? null, createdAt]);

function fromRow({ mac, ...row }: AddressRow): InvoiceAddress {
  const address: InvoiceAddress = { ...row, optionId: row.optionId ?? undefined, memo: row.memo ?? undefined };
  return isMac('invoice address', contentOf(address), mac) ? address : { ...address, isAltered: true };
}

/** Returns places by their ids. */
export async function addressesById(db: Statements, ids: readonly string[]): Promise<Map<string, InvoiceAddress>> {
  if (ids.length === 0) return new Map();
  const rows = await db.rows<AddressRow>(`select ${COLUMNS} from invoice_address where id = any ($1::uuid[])`, [ids], {
    name: 'gate.addresses',
  });
  return new Map(rows.map((row) => [row.id, fromRow(row)]));
}

/** Returns the places of invoices. */
export async function addressesOf(db: Statements, invoiceIds: readonly string[]): Promise<InvoiceAddress[]> {
  const rows = await db.rows<AddressRow>(
    `select ${COLUMNS} from invoice_address where invoice_id = any ($1::uuid[])`,
    [invoiceIds],
    { name: 'gate.addresses_of' },
  );
  return rows.map(fromRow);
}

/** Adds a place. */
export async function insertAddress(tx: Tx, one: InvoiceAddress): Promise<void> {
  await tx.run(
    `insert into invoice_address (id, invoice_id, store_id, currency, option_id, pay_to, memo, created_at, mac)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      ...[one.id, one.invoiceId, one.storeId, one.currency, one.optionId ?? null, one.to, one.memo ?? null, one.createdAt],
      macOf('invoice address', contentOf(one)),
    ],
    { name: 'gate.insert_address' },
  );
}

/** Notes that payments were seen at places. */
export async function notePaid(tx: Tx, ids: readonly string[]): Promise<void> {
  await tx.run('update invoice_address set is_paid = true where id = any ($1::uuid[]) and not is_paid', [ids], {
    name: 'gate.note_paid',
  });
}

/** Returns the number of addresses on chains that a store handed out since a moment and that nobody paid. */
export async function countUnpaid(tx: Statements, storeId: string, since: Date): Promise<number> {
  const row = await tx.row<{ count: number }>(
    `select count(*)::int as count from invoice_address
     where store_id = $1 and created_at > $2 and not is_paid and option_id is null`,
    [storeId, since],
    { name: 'gate.count_unpaid' },
  );
  return row?.count ?? 0;
}

/**
 * Returns the ids of stores that handed out so many addresses on chains since a moment that nobody paid, by the kind of the store. A
 * store costs one look into the index.
 */
export async function storesWithUnpaid(
  db: Statements,
  since: Date,
  max: { readonly business: number; readonly personal: number },
): Promise<string[]> {
  const hasUnpaid = (offset: string): string => `exists (select from invoice_address where store_id = store.id and created_at > $1
    and not is_paid and option_id is null offset ${offset} limit 1)`;
  const rows = await db.rows<{ id: string }>(
    `select id from store where kind = 'business' and ${hasUnpaid('$2')} or kind = 'personal' and ${hasUnpaid('$3')}`,
    [since, max.business - 1, max.personal - 1],
    { name: 'gate.stores_with_unpaid' },
  );
  return rows.map(({ id }) => id);
}

/** Returns the ids of places whose rows were changed by SQL: of the given invoices, or of all. */
export const alteredAddresses = (db: Statements, invoiceIds: readonly string[] | undefined): Promise<string[]> =>
  idsOfAltered(
    async (behind, max) => {
      const rows = await db.rows<AddressRow>(
        `select ${COLUMNS} from invoice_address
         where ($1::uuid is null or id > $1) and ($3::uuid[] is null or invoice_id = any ($3)) order by id limit $2`,
        [behind ?? null, max, invoiceIds ?? null],
      );
      return rows.map(fromRow);
    },
    ({ isAltered }) => !isAltered,
  );
