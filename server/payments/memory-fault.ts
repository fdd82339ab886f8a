// Faults of calls to a memory rail.

/** Faulty behaviour of a rail. */
export type Fault =
  /** No answer, and nothing happens. */
  | { readonly kind: 'hang' | 'error' }
  /**
   * The answer is lost: of a send, before it arrived (`drop`) or after (`lost`); of an observation, the newest payment is left
   * out.
   */
  | { readonly kind: 'drop' | 'lost' }
  /** The answer repeats everything. */
  | { readonly kind: 'duplicate' }
  /** The answer is wrong: other amounts, "not there", or a definite refusal. */
  | { readonly kind: 'lie' }
  | { readonly kind: 'refuse'; readonly reason?: string }
  /** For a send: its reference was used before, so nothing happens. */
  | { readonly kind: 'exists' }
  /** The answer comes late: it was right when the call was made. */
  | { readonly kind: 'delay'; readonly until: Promise<unknown> };

export type Call =
  | 'health'
  | 'tip'
  | 'observe'
  | 'seek'
  | 'reserve'
  | 'prepare'
  | 'send'
  | 'find'
  | 'bump'
  | 'holdings'
  | 'ownSends'
  | 'open'
  | 'redeem'
  | 'recall';
