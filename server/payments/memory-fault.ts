// Faults of calls to a memory rail.

/** Fault of one call to a memory rail. */
export type Fault =
  /** The call never answers (`hang`) or fails (`error`), and has no effect. */
  | { readonly kind: 'hang' | 'error' }
  /**
   * `drop`: a send gets lost on its way to the rail, or `observe` leaves out the newest payment. `lost`: the call takes effect,
   * but its answer gets lost.
   */
  | { readonly kind: 'drop' | 'lost' }
  /** The call's answer lists every payment twice. */
  | { readonly kind: 'duplicate' }
  /**
   * The answer is wrong: it has other amounts, or says "not there" for a send that is there. A send to a chain is mined without
   * effect.
   */
  | { readonly kind: 'lie' }
  | { readonly kind: 'refuse'; readonly reason?: string }
  /** For a send: the rail says that the send's reference was used before, and nothing is sent. */
  | { readonly kind: 'exists' }
  /** The answer comes late, and describes the moment of the call. */
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
