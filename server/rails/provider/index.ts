/**
 * Shared code of the providers' rails. A provider keeps the accounts itself: there are no blocks, and a payment or a send is looked
 * up by our own reference.
 *
 * - **Reference**: our name of a payment or a send at the provider. No installation uses one twice.
 * - **Booked**: on our account, and final for the provider. **Pending**: shown and not booked yet.
 * - **Webhook**: a message of the provider. It is a hint to poll, never money.
 */
export { type Reply, type ProviderCall, Unreachable, callProvider, jsonOf } from './http.ts';
export { type ProviderContext, type ProviderModule, openReferences } from './provider-context.ts';
export { equalText, sha256Hex } from './signatures.ts';
export { PENDING, booked } from './booked.ts';
export { formOf, htmlInputs } from './forms.ts';
export { checkEmail, checkWallet, notOurs } from './accounts.ts';
export { healthBy } from './health.ts';
export { observeEach } from './observe-each.ts';
export { insist } from './insist.ts';
export { oneAtATime } from './one-at-a-time.ts';
export { isAfter, latestOf, ourReference } from './our-reference.ts';
export { field } from './described.ts';
