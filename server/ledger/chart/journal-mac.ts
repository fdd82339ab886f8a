import { macOf } from '../../platform/index.ts';
import { accountId } from './account-id.ts';
import { KINDS, type Journal } from './journal.ts';

/**
 * Computes the MAC of a journal. Its content is a line for each leg: the journal's id, the leg's position, kind, cause, accounts,
 * parts and price. The lines are written as PostgreSQL prints the stored rows (`LEG`), so that the MAC can be checked later.
 */
export function journalMac({ id, kind, cause, legs, prices }: Journal): string {
  let content = '';
  for (let at = 0; at < legs.length; at += 1) {
    const { from, to, parts } = legs[at] as Journal['legs'][number];
    const accounts = `${number(accountId(from.name))} ${number(accountId(to.name))}`;
    content += `${at > 0 ? '\n' : ''}${id} ${at} ${KINDS[kind]} ${cause} ${accounts} ${parts} ${shown(prices?.[from.unit])}`;
  }
  return macOf('journal', content);
}

/** SQL columns of `posting` that give the fields of one line of a MAC's content. */
export const LEG = `journal, leg, kind, cause, from_id, to_id, parts, coalesce(price::text, '-')`;

/** Removes leading zeros, which ids have only so that they sort as texts. */
const number = (digits: string): string => (digits.startsWith('0') ? String(BigInt(digits)) : digits);

/** Writes a price as PostgreSQL prints it: without leading zeros, with trailing ones. */
const shown = (price = '-'): string => (price.startsWith('0') ? price.replace(/^0+(?=[0-9])/, '') : price);
