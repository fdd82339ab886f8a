// Owners of receiving addresses and payouts.

import { type LogIds, type Owner, idsOfOwners } from '../../platform/index.ts';

export { type Owner, idsOfOwner, subjectOf } from '../../platform/index.ts';

/** Returns ids for a log line about payouts: those of the payouts, and those of owners that have a log field of their own. */
export const idsOf = (payouts: readonly { readonly id: string; readonly owner: Owner }[]): LogIds => ({
  payoutId: payouts.map(({ id }) => id),
  ...idsOfOwners(payouts.map(({ owner }) => owner)),
});
