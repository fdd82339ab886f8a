import type { Attempt, Signer } from './rail.ts';
import type { SignedEntry } from './signed-entry.ts';

/** Returns a rail's part of the attempt for a line of the journal: nonce, expiration, change. Undefined for another rail's line. */
type Rest = (line: SignedEntry) => Pick<Attempt, 'nonce' | 'expiresAt' | 'changeIndex'> | undefined;

/** Returns earlier signed attempts of payouts from the signer's journal, with the same bytes. Throws if the signer doesn't answer. */
export async function attemptsSigned(
  signer: Signer,
  rail: string,
  payouts: readonly string[],
  rest: Rest,
): Promise<readonly Attempt[]> {
  const lines = (await signer.signed?.(rail, payouts)) ?? [];
  return lines.flatMap((line): Attempt[] => {
    const { raw, fee, txid: reference, payouts: items, spends } = line;
    if (items.length === 0) return [];
    const more = rest(line);
    if (!more) return [];
    return [{ reference, items, raw, spends, fee: { currency: fee.currency, parts: BigInt(fee.parts) }, ...more }];
  });
}
