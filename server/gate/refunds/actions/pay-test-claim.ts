// Pays a claim of a test refund at once. No money moves, and nothing is sent.

import { type Tx, newId } from '../../../platform/index.ts';
import { payLegs } from '../machine/claim-legs.ts';
import { claimMovedTo } from '../machine/claim-machine.ts';
import { judgeRefund } from '../machine/judge-refund.ts';
import { type Claim, type Refund, plus } from '../machine/refund.ts';
import { insertClaim } from '../rows/claim-rows.ts';
import { type OpenRefund, saveChange } from './save-refund.ts';

/** Saves a new claim of a locked test refund as claimed, then as paid, with both events. Returns the refund. */
export async function payTestClaim(tx: Tx, open: OpenRefund, claim: Claim): Promise<Refund> {
  const { id, from } = claim;
  const paying: Claim = { ...claim, state: 'paying', isBooked: true, isTest: true };
  const rests = plus(open.refund.rests, { ...from, parts: -from.parts });
  const less: OpenRefund = { refund: { ...open.refund, rests }, claims: [...open.claims, paying] };
  judgeRefund(open, less, { id: newId(), kind: 'merchant_refund_claimed', cause: id, legs: payLegs(claim) });
  await insertClaim(tx, paying);
  const claimed = await saveChange(tx, less, { event: 'claim', news: 'claimed', claim: paying });
  const done: Claim = { ...paying, state: claimMovedTo(paying.state, 'final') };
  return (await saveChange(tx, claimed, { event: 'arrive', news: 'paid', claim: done })).refund;
}
