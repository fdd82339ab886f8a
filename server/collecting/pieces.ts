// Pieces of a payment: the unallocated excess, the part taken back, the part returned. Pure.

import type { Payment } from './payment.ts';

/**
 * Cuts `parts` off a payment. Returns the piece, and the rest if any. The provider's fee is split in proportion; the piece's
 * share is rounded down, so that all shares add up to the fee.
 */
export function cutPayment(payment: Payment, parts: bigint): { readonly piece: Payment; readonly rest?: Payment } {
  if (parts >= payment.parts) return { piece: payment };
  const share = payment.kept === undefined ? undefined : (payment.kept * parts) / payment.parts;
  const withKept = (kept: bigint | undefined) => (kept === undefined ? {} : { kept });
  return {
    piece: { ...payment, parts, ...withKept(share) },
    rest: {
      ...payment,
      parts: payment.parts - parts,
      ...withKept(share === undefined ? undefined : (payment.kept ?? 0n) - share),
    },
  };
}

/** Returns the sum of payments, in parts. */
export const sumOf = (payments: readonly Payment[]): bigint => payments.reduce((sum, { parts }) => sum + parts, 0n);

/** Joins two pieces of one payment, with the status of the second. */
export function joinPieces(piece: Payment, other: Payment): Payment {
  const kept = (piece.kept ?? 0n) + (other.kept ?? 0n);
  return { ...piece, ...other, parts: piece.parts + other.parts, ...(kept > 0n && { kept }) };
}

/** Cuts `parts` off the final payments, the latest first. Returns the remaining payments, and the pieces cut off. */
export function cutFromLatest(payments: readonly Payment[], parts: bigint): { kept: Payment[]; cut: Payment[] } {
  const kept: Payment[] = [];
  const cut: Payment[] = [];
  let left = parts;
  for (const payment of payments.toReversed()) {
    if (payment.standing !== 'final' || left === 0n) {
      kept.unshift(payment);
      continue;
    }
    const { piece, rest } = cutPayment(payment, left);
    left -= piece.parts;
    cut.unshift(piece);
    if (rest) kept.unshift(rest);
  }
  return { kept, cut };
}

/** Returns payments without what their providers retained: the customer has borne it, and it is charged once. */
export const withoutKept = (payments: readonly Payment[]): readonly Payment[] =>
  payments.map((payment) => (payment.standing === 'final' && payment.kept !== undefined ? { ...payment, kept: 0n } : payment));
