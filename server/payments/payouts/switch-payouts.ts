import { Problem } from '@kurs/contract';
import type { Statements, Tx } from '../../platform/index.ts';
import { allRails } from '../rails/registry.ts';
import { settings } from '../rails/settings.ts';

/**
 * Switches payouts on or off: those of one rail, or all if `rail` is absent. The next claim of a payout obeys the switch, since
 * the claim's transaction reads it. Events are still recorded while payouts are off. Throws `not_found` for an unknown rail.
 */
export async function switchPayouts(
  tx: Tx,
  { rail, isOn }: { readonly rail?: string | undefined; readonly isOn: boolean },
  by: string,
): Promise<void> {
  if (rail === undefined) return settings.put(tx, ALL, isOn, by);
  requireRail(rail);
  const off = (await settings.read(tx, OFF)).filter((one) => one !== rail);
  return settings.put(tx, OFF, isOn ? off : [...off, rail], by);
}

const ALL = 'payments.payouts.enabled';
const OFF = 'payments.payouts.off';

/** Returns the key of the setting that switches a rail's payouts, or all payouts if `rail` is undefined. */
export const payoutsSetting = (rail: string | undefined): typeof ALL | typeof OFF => (rail === undefined ? ALL : OFF);

/** Throws `not_found` for an unknown rail. */
export function requireRail(rail: string | undefined): void {
  if (rail !== undefined && !allRails().some(({ id }) => id === rail)) throw new Problem('not_found');
}

/** A payout of an owner, as the desk sees it. `found_late`: the payout had failed, and was sent after all. */
export interface OwnSend {
  readonly id: string;
  readonly purpose: string;
  readonly status: string;
  readonly currency: string;
  readonly unit: string;
  readonly parts: bigint;
  readonly txid: string | null;
}

/** Returns every payout requested for an owner, oldest first. */
export async function sendsOf(db: Statements, kind: string, id: string): Promise<OwnSend[]> {
  const rows = await db.rows<Omit<OwnSend, 'parts'> & { parts: string }>(
    `select id, purpose, case when is_found_late then 'found_late' else status end as status, currency, unit, parts, txid from payout where owner_kind = $1 and owner_id = $2 order by created_at`,
    [kind, id],
  );
  return rows.map((row) => ({ ...row, parts: BigInt(row.parts) }));
}
