// Names the posting of the invoice machine to which a leg belongs. For tests.

import type { Leg } from '../../ledger/index.ts';
import type { InvoiceEvent, InvoicePosting } from '../invoices/invoice-machine.ts';

/** Kinds of accounts by their names. */
const KINDS: readonly (readonly [pattern: RegExp, kind: string])[] = [
  [/^invoice:[^:]+:(in|set|reserve):/, 'invoice'],
  [/^desk:free:/, 'free'],
  [/^(custody|wallet|owed):/, 'outside'],
  [/^income:gate:/, 'gate'],
  [/^(income:(spread|fee)|spent:loss):/, 'price'],
  [/^(merchant|receivable):/, 'store'],
];

/** Posting by the kinds of the accounts that pay and receive. */
const POSTINGS: Readonly<Record<string, InvoicePosting>> = {
  'free reserve': 'reserve',
  'reserve free': 'reserve_back',
  'outside in': 'payin',
  'in price': 'convert',
  'in free': 'convert',
  'reserve set': 'convert',
  'in set': 'convert',
  'set store': 'settle',
  'set gate': 'settle',
  'in outside': 'payin_back',
  'price in': 'convert_back',
  'free in': 'convert_back',
  'set free': 'convert_back',
  'store store': 'settle',
  'set in': 'convert_back',
  'store set': 'settle_back',
  'gate set': 'settle_back',
};

function kindOf(name: string): string {
  for (const [pattern, kind] of KINDS) {
    const found = pattern.exec(name);
    if (found) return kind === 'invoice' ? (found[1] as string) : kind;
  }
  return name;
}

/** Events by which credited payments go back to their payers. */
const GIVES_BACK: ReadonlySet<InvoiceEvent> = new Set(['give_back', 'decide', 'return']);

/** Returns the posting of a leg of a step. Throws if no posting has such a leg. */
export function postingOf({ from, to }: Pick<Leg, 'from' | 'to'>, event: InvoiceEvent): InvoicePosting {
  const way = `${kindOf(from.name)} ${kindOf(to.name)}`;
  if (way === 'set free' && GIVES_BACK.has(event)) return 'give_back';
  const posting = POSTINGS[way];
  if (!posting) throw new Error(`no posting has a leg ${way}`);
  return posting;
}
