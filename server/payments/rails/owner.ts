// Whose an address or a payout is.

import { type LogIds, type Owner, idsOfOwners } from '../../platform/index.ts';

export { type Owner, idsOfOwner, subjectOf } from '../../platform/index.ts';

/** What a line of the log says of payouts, and of the owners that have a name of their own there. */
export const idsOf = (payouts: readonly { readonly id: string; readonly owner: Owner }[]): LogIds => ({
  payoutId: payouts.map(({ id }) => id),
  ...idsOfOwners(payouts.map(({ owner }) => owner)),
});
