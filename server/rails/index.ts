/**
 * Rails: networks and providers by which money enters and leaves. Only payments uses them; the signer process uses their
 * signing part.
 *
 * - **Rail**: one network or provider behind one interface. It has no database: callers pass state in and store the results.
 * - **Place**: a custody location of our money at a rail: `hot` (payable), `deposit` (receiving addresses, until swept),
 *   `fuel` (for network fees).
 * - **Observed payment**: a payment as the rail shows it now. **Payment status**: its finality.
 * - **Attempt**: one signed send, stored before it leaves; only its bytes are ever sent again.
 * - **Spend**: an input or a nonce that an attempt uses up permanently. Of two attempts with one spend only one can happen.
 * - **Signer**: the process that holds the keys. It signs only approved payouts, and transfers between our own addresses.
 */
export type * from './rail.ts';
export { type PublicKeys, type SignAnswer, type SigningRail, type SignRequest, UNEXPLAINED, Unreadable } from './signer.ts';
export { openReferences } from './provider/index.ts';
export { PAYMENT_WEBHOOKS, providerExample } from './providers.ts';
export {
  RAIL_NAMES,
  RAIL_NEEDS,
  type Providers,
  type Refused,
  buildRails,
  buildSigningRails,
  derivePublicKeys,
  everyOwnAddresses,
  railsConfig,
} from './rails.ts';
export { INDEXES, type OwnAddress } from './own-addresses.ts';
export { openSigner, type SignerClient } from './signer-client.ts';
export type { SignerHealth, UnexplainedLine } from './signer.ts';
export { type ApprovedPayout, type SignedEntry, besides, check } from './signing-policy.ts';
export {
  type UnrecordedContent,
  isAsRequested,
  isUnrecordedAsWritten,
  nameAmongSeveral,
  payoutMac,
  transactionOf,
  unrecordedMac,
} from './payout-mac.ts';
