// Uses of links. An invoice holds a use while the lock of its payment option runs, and spends it once a payment is seen.

import { Problem } from '@kurs/contract';
import type { Statements, Tx } from '../../platform/index.ts';
import { type Invoice, isUnfinished } from '../invoices/invoice.ts';
import { currentOption } from '../invoices/options.ts';
import type { Link } from './link.ts';
import { lockLinkOfInvoice } from './link-rows.ts';

/** Numbers of a link's uses. `held`: by invoices whose payment option is locked. */
export interface Uses {
  readonly spent: number;
  readonly held: number;
}

const NONE: Uses = { spent: 0, held: 0 };

/** Returns the uses of links by the links' ids. `but`: invoice that is not counted. */
export async function usesOf(db: Statements, linkIds: readonly string[], but?: string): Promise<(id: string) => Uses> {
  const rows = await db.rows<Uses & { id: string }>(
    `select link_id as id, count(*) filter (where is_spent)::int as spent, count(*) filter (where not is_spent)::int as held
     from store_link_use
     where link_id = any ($1::uuid[]) and (is_spent or held_until > clock_now()) and invoice_id is distinct from $2
     group by link_id`,
    [linkIds, but ?? null],
    { name: 'gate.link_uses' },
  );
  const byId = new Map(rows.map(({ id, spent, held }) => [id, { spent, held }]));
  return (id) => byId.get(id) ?? NONE;
}

/** True if a link has no use left: all are spent, or held by invoices that are being paid. */
export const isUsedUp = ({ maxUses }: Pick<Link, 'maxUses'>, { spent, held }: Uses): boolean =>
  maxUses !== undefined && spent + held >= maxUses;

/**
 * Checks that an invoice may take a use of its link: its own, or one that is left. Locks the link, so that of several buyers at
 * once only as many pay as there are uses. Throws `link_used_up`.
 */
export async function requireUse(tx: Tx, { id, terms: { linkId } }: Pick<Invoice, 'id' | 'terms'>): Promise<void> {
  if (linkId === undefined) return;
  const link = await lockLinkOfInvoice(tx, linkId);
  const uses = await usesOf(tx, [linkId], id);
  if (isUsedUp(link, uses(linkId))) throw new Problem('link_used_up');
}

/** Stores the uses of changed invoices that were made by links. */
export async function saveUses(tx: Tx, invoices: readonly Invoice[]): Promise<void> {
  const rows = invoices.flatMap((view) => {
    const { linkId } = view.terms;
    if (linkId === undefined) return [];
    const until = isUnfinished(view) ? currentOption(view)?.lockUntil : undefined;
    return [{ invoice_id: view.id, link_id: linkId, held_until: until ?? null, is_spent: view.payments.length > 0 }];
  });
  if (rows.length === 0) return;
  await tx.run(
    `insert into store_link_use (invoice_id, link_id, held_until, is_spent)
     select invoice_id, link_id, held_until, is_spent
     from jsonb_to_recordset($1::jsonb) as n (invoice_id uuid, link_id uuid, held_until timestamptz, is_spent boolean)
     on conflict (invoice_id) do update set held_until = excluded.held_until, is_spent = excluded.is_spent`,
    [JSON.stringify(rows)],
    { name: 'gate.save_link_uses' },
  );
}
