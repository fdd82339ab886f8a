import { macOf } from '../../platform/index.ts';
import { accountId } from './account-id.ts';
import { KINDS, type Journal } from './journal.ts';

/**
 * Returns the MAC of a journal. The MAC covers a line for each leg: the journal's id, the leg's position, kind, cause,
 * accounts, parts and price. A line has the form in which PostgreSQL prints the columns `LEG` of the stored leg, so that the
 * MAC can be verified later.
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

/** SQL: columns of `posting` that make up a leg's line in the content of a MAC. */
export const LEG = `journal, leg, kind, cause, from_id, to_id, parts, coalesce(price::text, '-')`;

/** Removes an account id's leading zeros, which only make ids sort as texts. */
const number = (digits: string): string => (digits.startsWith('0') ? String(BigInt(digits)) : digits);

/** Formats a price as PostgreSQL prints it: without leading zeros, but with trailing zeros. */
const shown = (price = '-'): string => (price.startsWith('0') ? price.replace(/^0+(?=[0-9])/, '') : price);
