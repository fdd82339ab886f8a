import { macOf } from '../platform/index.ts';
import { accountId } from './account-id.ts';
import { KINDS, type Journal } from './journal.ts';

/**
 * The MAC of a journal: of its id, and of each leg with kind, cause, accounts, parts and price. Written as the database shows
 * it again (`LINES`), so that what stands there can be compared with it.
 */
export function journalMac({ id, kind, cause, legs, prices }: Journal): string {
  const lines = legs.map(({ from, to, parts }, at) =>
    [at, KINDS[kind], cause, number(accountId(from.name)), number(accountId(to.name)), parts, plain(prices?.[from.unit])].join(
      ' ',
    ),
  );
  return macOf('journal', contentOf(id, lines.join('\n')));
}

/** What a journal's MAC is made of. */
export const contentOf = (id: string, lines: string): string => `${id}\n${lines}`;

/** SQL for the same lines, of the rows of one journal in `posting`. */
export const LINES = `string_agg(concat_ws(' ', leg, kind, cause, from_id, to_id, parts, coalesce(trim_scale(price)::text, '-')),
  E'\\n' order by leg)`;

/** A number without the zeros in front that only its sorting needs. */
const number = (digits: string): string => (digits.startsWith('0') ? String(BigInt(digits)) : digits);

/** A price without the zeros that don't count. */
export function plain(price: string | undefined): string {
  if (price === undefined) return '-';
  const text = price.replace(/^0+(?=[0-9])/, '');
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}
