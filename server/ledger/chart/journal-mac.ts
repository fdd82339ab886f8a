import { macOf } from '../../platform/index.ts';
import { accountId } from './account-id.ts';
import { KINDS, type Journal } from './journal.ts';

/**
 * The MAC of a journal: a line for each leg, of the journal's id, the leg's place, kind, cause, accounts, parts and price.
 * Written as the database shows it again (`LEG`), so that what stands there can be compared with it.
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

/** SQL for the fields of such a line, of a row of `posting`. */
export const LEG = `journal, leg, kind, cause, from_id, to_id, parts, coalesce(price::text, '-')`;

/** A number without the zeros in front that only its sorting needs. */
const number = (digits: string): string => (digits.startsWith('0') ? String(BigInt(digits)) : digits);

/** A price as PostgreSQL shows it again: without zeros in front, with those behind. */
const shown = (price = '-'): string => (price.startsWith('0') ? price.replace(/^0+(?=[0-9])/, '') : price);
