/**
 * Rails: where money leaves and enters. Only payments uses them (and the signer process their keys' side).
 *
 * - **Rail**: one network or provider behind one interface. It has no database: state is handed in and given back.
 * - **Place**: where a rail holds money of ours: `hot` (payable), `deposit` (customers' own addresses, until swept),
 *   `fuel` (what pays network fees).
 * - **Observed payment**: a payment as the rail shows it now. **Standing**: how final that is.
 * - **Attempt**: one signed send, stored before it leaves; only its bytes are ever sent again.
 * - **Spend**: what an attempt consumes for ever (an input or a nonce), so that only one of two can happen.
 * - **Signer**: the process that holds the keys and signs only what equals an approved payout or stays our own.
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
