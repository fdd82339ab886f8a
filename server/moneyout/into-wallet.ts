/**
 * Event published when money goes into a holder's wallet of a unit, even if the holder has not opened that wallet yet. Its
 * subject is `wallet:<holder>`.
 */
export const INTO_WALLET_EVENT = 'moneyout.into_wallet';

export interface IntoWallet {
  readonly holderId: string;
  readonly unit: string;
}
