import { type NumberedOwner, defineOwner } from '../../collecting/index.ts';
import { PAYOUT_EVENT } from '../../payments/index.ts';
import { applyClaimPayouts } from './actions/apply-payouts.ts';
import { claimsMayLeave } from './actions/may-leave.ts';
import { refundCheck } from './check-refunds.ts';
import { STORE_REFUND } from './kinds.ts';
import type { Refund } from './machine/refund.ts';
import { refundIdsOf } from './rows/claim-rows.ts';
import { refundByNumber, refundsById } from './rows/refund-rows.ts';
import { openRefundStream, watchRefunds } from './views/refund-stream.ts';

const known = (id: string, { number, email = '', locale }: Refund): NumberedOwner => ({
  owner: { kind: STORE_REFUND, id },
  ...{ number, email, locale },
});

/** Registers claims of refunds as owners of payouts. An owner's id is that of a claim. */
export const REFUND_OWNER = defineOwner({
  kind: STORE_REFUND,
  purposes: [],
  outKinds: [STORE_REFUND],
  handlers: [{ subscriber: 'refunds', events: [PAYOUT_EVENT], handle: applyClaimPayouts }],
  mayLeave: claimsMayLeave,
  check: refundCheck,
  async byId(db, ids) {
    const refundIds = await refundIdsOf(db, ids);
    const refunds = new Map((await refundsById(db, [...new Set(refundIds.values())])).map((refund) => [refund.id, refund]));
    return [...refundIds].flatMap(([id, refundId]) => {
      const refund = refunds.get(refundId);
      return refund ? [known(id, refund)] : [];
    });
  },
  async byNumber(db, number) {
    const refund = await refundByNumber(db, number);
    return refund && known(refund.id, refund);
  },
  stream: { call: 'refundStatus', watch: watchRefunds, open: openRefundStream },
});
