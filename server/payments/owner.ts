/** Whose a place or a payout is. Payments knows no more of an owner than this. */
export interface Owner {
  readonly kind: 'order' | 'desk' | 'wallet' | 'invoice';
  readonly id: string;
}

/** The subject of an owner's facts: `order:0197…`. */
export function subjectOf(owner: Owner): string {
  return `${owner.kind}:${owner.id}`;
}
