import type { ObservedPayment, Unread, ReceivingAddress } from '../rail.ts';

/**
 * Returns the payments that `show` finds for addresses with known coin handed on by contracts. If they can't be read now, only
 * these addresses are reported to `unread`, and the rest of the poll isn't lost. Throws the failure if there is no `unread`.
 */
export async function handedOnApart(
  addresses: readonly ReceivingAddress[],
  unread: ((left: Unread) => void) | undefined,
  show: (addresses: readonly ReceivingAddress[]) => Promise<ObservedPayment[]>,
): Promise<ObservedPayment[]> {
  const known = addresses.filter(({ handedOn = [] }) => handedOn.length > 0);
  if (known.length === 0) return [];
  try {
    return await show(known);
  } catch (error) {
    if (!unread) throw error;
    for (const { to } of known) unread({ to, detail: error instanceof Error ? error.message : String(error) });
    return [];
  }
}
