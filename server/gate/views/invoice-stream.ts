// Event stream of an invoice's page: reports each change, and each confirmation of its payments.

import type { Output, Routes } from '@kurs/contract';
import { confirmationsTogether } from '../../payments/index.ts';
import {
  type Db,
  type EventStream,
  type Followed,
  type Statements,
  type VersionWatch,
  watchVersions,
} from '../../platform/index.ts';
import { requireAsStored } from '../rows/invoice-mac.ts';
import { A_CHANGE, changesOf, readInvoice } from '../rows/invoice-rows.ts';
import type { StoredInvoice } from '../rows/stored-invoice.ts';
import { publishChanges } from '../wire/publish-changes.ts';
import { confirmationsOfInvoice, sumOfConfirmations } from './confirmations.ts';

type Status = Output<Routes['paymentInvoiceStatus']>;

/** Interval of polling, in ms. Changes are notified at once; the poll finds changes whose notification was missed. */
const POLL_MS = 1_000;

/** Watches invoices for changes: one query serves all listeners of the process. */
export const watchInvoices = (db: Db): VersionWatch =>
  watchVersions(POLL_MS, 'gate.invoice_watch', (ids) => versionsOf(db, ids), ['owners', 'blocks']);

async function versionsOf(db: Statements, ids: readonly string[]): Promise<Map<string, number>> {
  const rows = await db.rows<{ id: string; version: number }>(
    `select i.id, i.version::float8 * ${A_CHANGE}
       + least(coalesce(sum(${confirmationsTogether('invoice', 'a.id')}), 0), ${A_CHANGE - 1}) as version
     from invoice i left join invoice_address a on a.invoice_id = i.id and a.is_paid where i.id = any ($1::uuid[]) group by i.id`,
    [ids],
    { name: 'gate.versions_of' },
  );
  return new Map(rows.map(({ id, version }) => [id, version]));
}

/** Returns an invoice's state, version and present confirmations. */
export async function statusOf(db: Statements, { view }: StoredInvoice): Promise<Status> {
  const confirmations = sumOfConfirmations(await confirmationsOfInvoice(db, view));
  return { state: view.state, version: view.version, ...(confirmations !== undefined && { confirmations }) };
}

const markOf = ({ version, confirmations }: Status): string =>
  `${version}${confirmations === undefined ? '' : `+${confirmations}`}`;

interface StreamDeps {
  readonly db: Db;
  readonly watch: VersionWatch;
}

/** Returns the function that opens the stream of an invoice by its id. */
export function openInvoiceStream(deps: StreamDeps) {
  return async ({ id }: { readonly id: string }): Promise<Followed> => {
    const invoice = requireAsStored(await readInvoice(deps.db, id));
    return { of: `invoice ${id}`, report: (stream) => publish(deps, invoice, stream) };
  };
}

async function publish({ db, watch }: StreamDeps, invoice: StoredInvoice, stream: EventStream): Promise<void> {
  const { id } = invoice.view;
  const begun = await statusOf(db, invoice);
  const seen = changesOf(invoice, begun.confirmations);
  const read = async (): Promise<Status> => statusOf(db, await readInvoice(db, id));
  await publishChanges(stream, watch, { id, event: 'invoice', begun, seen, read, markOf });
}
