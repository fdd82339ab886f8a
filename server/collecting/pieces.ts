// Pieces of a payment: the unallocated excess, the part taken back, the part returned. Pure.

import type { Payment } from './payment.ts';

/**
 * Cuts `parts` off a payment. Returns the piece, and the rest if any. The provider's fee is split in proportion; the piece's
 * share is rounded down, so that all shares add up to the fee.
 */
export function cutPayment(payment: Payment, parts: bigint): { readonly piece: Payment; readonly rest?: Payment } {
  if (parts >= payment.parts) return { piece: payment };
  const share = payment.retained === undefined ? undefined : (payment.retained * parts) / payment.parts;
  const withRetained = (retained: bigint | undefined) => (retained === undefined ? {} : { retained });
  return {
    piece: { ...payment, parts, ...withRetained(share) },
    rest: {
      ...payment,
      parts: payment.parts - parts,
      ...withRetained(share === undefined ? undefined : (payment.retained ?? 0n) - share),
    },
  };
}

/** Returns the sum of payments, in parts. */
export const sumOf = (payments: readonly Payment[]): bigint => payments.reduce((sum, { parts }) => sum + parts, 0n);

/** Joins two pieces of one payment, with the status of the second. */
export function joinPieces(piece: Payment, other: Payment): Payment {
  const retained = (piece.retained ?? 0n) + (other.retained ?? 0n);
  return { ...piece, ...other, parts: piece.parts + other.parts, ...(retained > 0n && { retained }) };
}

/** Cuts `parts` off the final payments, the latest first. Returns the remaining payments, and the pieces cut off. */
export function cutFromLatest(payments: readonly Payment[], parts: bigint): { retained: Payment[]; cut: Payment[] } {
  const retained: Payment[] = [];
  const cut: Payment[] = [];
  let left = parts;
  for (const payment of payments.toReversed()) {
    if (payment.status !== 'final' || left === 0n) {
      retained.unshift(payment);
      continue;
    }
    const { piece, rest } = cutPayment(payment, left);
    left -= piece.parts;
    cut.unshift(piece);
    if (rest) retained.unshift(rest);
  }
  return { retained, cut };
}

/** Returns payments without what their providers retained: the customer has borne it, and it is charged once. */
export const withoutRetained = (payments: readonly Payment[]): readonly Payment[] =>
  payments.map((payment) =>
    payment.status === 'final' && payment.retained !== undefined ? { ...payment, retained: 0n } : payment,
  );
