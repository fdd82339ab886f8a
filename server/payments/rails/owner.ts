// Owners of receiving addresses and payouts.

import { type LogIds, type Owner, idsOfOwners } from '../../platform/index.ts';

export { type Owner, idsOfOwner, subjectOf } from '../../platform/index.ts';

/** Returns the ids for a log line about payouts: the payouts' ids, and the ids of owners whose kind has its own log field. */
export const idsOf = (payouts: readonly { readonly id: string; readonly owner: Owner }[]): LogIds => ({
  payoutId: payouts.map(({ id }) => id),
  ...idsOfOwners(payouts.map(({ owner }) => owner)),
});
