// Splits and joins payments, when their excess is unallocated or a part of them is taken back or returned. Pure.

import type { Payment } from './payment.ts';

/**
 * Cuts the amount `parts` off a payment. Returns that piece, and the rest if any. The fee that the provider retained is split in
 * proportion. The piece's share is rounded down and the rest's share is what remains, so that both add up to the fee.
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

/** Joins two pieces of one payment. The result has the sum of their amounts, and all other fields of the second piece. */
export function joinPieces(piece: Payment, other: Payment): Payment {
  const retained = (piece.retained ?? 0n) + (other.retained ?? 0n);
  return { ...piece, ...other, parts: piece.parts + other.parts, ...(retained > 0n && { retained }) };
}

/**
 * Cuts the amount `parts` off the final payments, beginning with the latest. Returns the payments that remain, and the pieces cut
 * off.
 */
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

/**
 * Returns the payments, with the retained fee of final ones set to 0. The customer has borne this fee already, and must not be
 * charged again.
 */
export const withoutRetained = (payments: readonly Payment[]): readonly Payment[] =>
  payments.map((payment) =>
    payment.status === 'final' && payment.retained !== undefined ? { ...payment, retained: 0n } : payment,
  );
