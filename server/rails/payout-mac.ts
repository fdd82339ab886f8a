import { isMac, macOf } from '../platform/index.ts';
import type { Fields } from './rail.ts';

/** What a payout is, of everything that decides who gets what. */
export interface AskedPayout {
  readonly id: string;
  readonly owner: { readonly kind: string; readonly id: string };
  readonly currency: string;
  readonly parts: bigint;
  readonly to: Fields;
}

const contentOf = ({ id, owner, currency, parts, to }: AskedPayout): string =>
  JSON.stringify([id, owner.kind, owner.id, currency, parts.toString(), Object.entries(to).toSorted()]);

/** The MAC that a payout is asked for with. */
export const payoutMac = (payout: AskedPayout): string => macOf('payout', contentOf(payout));

/** Is a payout still what was asked for? */
export const isAsAsked = (payout: AskedPayout & { readonly mac: string | null }): boolean =>
  isMac('payout', contentOf(payout), payout.mac);
