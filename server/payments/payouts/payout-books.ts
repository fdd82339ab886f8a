// What payments posts of a payout, in the transaction in which it happens: that its money left custody, that it was not sent,
// that it came back. The intent, and its reverse where the owner stops it, are the owner's decisions, and posted by the owner.

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
 * The journals of what happened to payouts. A payout whose books were changed behind our back posts nothing, with an alarm: its
 * money stays where it is, and the proof of the books accuses that.
 */
export function journalsOf(values: Values, changes: readonly PayoutChange[]): Journal[] {
  return changes.flatMap(({ payout, events }) =>
    events.flatMap(({ event, extra = {} }): Journal[] => {
      const posting = postingOf(payout, event, extra);
      if (!posting || posting.legs.length === 0) return [];
      if (payout.books && !isAsNamed(payout.id, payout.books, payout.booksMac ?? null)) {
        log.alarm('the accounts that a payout was asked for with were changed: nothing is posted', {
          ...{ rail: currencyOf(payout.currency)?.rail, currency: payout.currency, ...idsOf([payout]), event },
        });
        return [];
      }
      return [{ id: newId(), ...posting, prices: pricesOf(values, [payout.unit]) }];
    }),
  );
}

/**
 * Posts what happened to payouts; the last thing that its transaction does. Throws where the ledger refuses: nothing happened
 * then.
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
