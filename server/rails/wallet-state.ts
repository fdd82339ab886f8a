/** What our wallet has out already: rows that payments keeps so that no input or nonce is used twice. */
export interface WalletState {
  /** Inputs (`txid:vout`) that unfinished attempts of ours spend. */
  readonly spent: readonly string[];
  /** Outputs of ours from unfinished attempts, with their raw transactions (change that may be chained). */
  readonly unconfirmed: readonly { readonly txid: string; readonly raw: string; readonly spends?: readonly string[] }[];
  /** The next nonce by our own rows (account chains), or undefined where none was ever used. */
  readonly nextNonce?: number;
  /** Receiving addresses that may hold coins: derivation indexes. */
  readonly indexes: readonly number[];
  /** Receiving addresses that gas was ever sent to; what a sweep left of it lies there still. For `reserve` only. */
  readonly fuelled?: readonly number[];
  /** The next unused change index. */
  readonly changeIndex: number;
  /**
   * What the books set aside for gas at the hot wallet, where the coin that pays it is a currency too (`feesFrom`): the
   * rail can't tell the two apart, since they lie at one address.
   */
  readonly fuel?: bigint;
}
