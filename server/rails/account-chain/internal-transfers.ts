import type { ObservedPayment, Unread, ReceivingAddress } from '../rail.ts';

/**
 * Shows what is known to have been handed on to addresses, apart from the rest of a look: where that can't be asked now its addresses
 * are told as unread, and nothing else is lost.
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
