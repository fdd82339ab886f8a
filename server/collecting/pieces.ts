// A payment in pieces: what exceeds an order, what is taken back in part, what comes back. Pure.

import type { Payment } from './payment.ts';

/**
 * Cuts `parts` off a payment: the piece, and the rest where there is one. What its provider kept is split in proportion,
 * the piece's share rounded down, so that the shares of all pieces add up to what was kept.
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

/** What payments, or pieces of them, come to in parts. */
export const sumOf = (payments: readonly Payment[]): bigint => payments.reduce((sum, { parts }) => sum + parts, 0n);

/** Two pieces of one payment as one, in the second's standing. */
export function joinPieces(piece: Payment, other: Payment): Payment {
  const kept = (piece.kept ?? 0n) + (other.kept ?? 0n);
  return { ...piece, ...other, parts: piece.parts + other.parts, ...(kept > 0n && { kept }) };
}

/** Cuts `parts` off the final payments, the latest first: what is kept, and the pieces that were cut. */
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

/** Payments whose customer has borne what their providers kept: it is taken once. */
export const withoutKept = (payments: readonly Payment[]): readonly Payment[] =>
  payments.map((payment) => (payment.standing === 'final' && payment.kept !== undefined ? { ...payment, kept: 0n } : payment));
