// Journals of payouts, posted in the transaction in which their cause is recorded: the money left custody, was not sent, or came
// back. The owner decides and posts the intent. If the owner stops the payout, it also posts the reverse of the intent.

import { type Journal, post } from '../../ledger/index.ts';
import { type Tx, log, newId } from '../../platform/index.ts';
import type { PayoutBody, PayoutEvent } from '../rails/event-bodies.ts';
import { idsOf } from '../rails/owner.ts';
import { currencyOf } from '../rails/registry.ts';
import { type Values, pricesOf } from '../rails/values.ts';
import { isAsNamed } from './rows/payout-accounts.ts';
import { happeningOf, payoutLegs } from './rows/payout-legs.ts';
import type { Payout, PayoutChange } from './machine/payout.ts';
import { returnedOf } from './machine/returned-sends.ts';

/**
 * Returns the journals for changes of payouts. A payout whose stored accounts fail their MAC gets no journal, and raises an
 * alarm. Its money stays where it is, which the proof of the books then reports.
 */
export function journalsOf(values: Values, changes: readonly PayoutChange[]): Journal[] {
  return changes.flatMap(({ payout, events }) =>
    events.flatMap(({ event, extra = {} }): Journal[] => {
      const posting = postingOf(payout, event, extra);
      if (!posting || posting.legs.length === 0) return [];
      if (payout.books && !isAsNamed(payout.id, payout.books, payout.booksMac ?? null)) {
        log.alarm('the accounts of a payout were altered: nothing is posted', {
          ...{ rail: currencyOf(payout.currency)?.rail, currency: payout.currency, ...idsOf([payout]), event },
        });
        return [];
      }
      return [{ id: newId(), ...posting, prices: pricesOf(values, [payout.unit]) }];
    }),
  );
}

/**
 * Posts the journals of payouts; comes last in its transaction. If the ledger refuses a journal, throws, so that the whole
 * transaction is undone.
 */
export async function postPayouts(tx: Tx, journals: readonly Journal[]): Promise<void> {
  if (journals.length === 0) return;
  const refused = (await post(tx, journals)).findIndex(({ status }) => status !== 'posted');
  if (refused >= 0) throw new Error(`The ledger refused a payout’s journal: ${journals[refused]?.cause}`);
}

function postingOf(payout: Payout, event: PayoutEvent, extra: Partial<PayoutBody>): Omit<Journal, 'id'> | undefined {
  const { parts, books } = payout;
  const happening = happeningOf(event);
  if (!books || !happening) return undefined;
  const legs = payoutLegs(happening, { ...payout, books }, returnedOf(extra, parts));
  return { kind: books.kinds[happening], cause: books.cause, legs };
}
