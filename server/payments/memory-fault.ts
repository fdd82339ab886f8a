// How calls of a memory rail go wrong.

/** What a rail does instead of answering well. */
export type Fault =
  /** No answer, and nothing happens. */
  | { readonly kind: 'hang' | 'error' }
  /** The answer is lost: of a send, before it arrived (`drop`) or after (`lost`); of an observation, the newest is left out. */
  | { readonly kind: 'drop' | 'lost' }
  /** Everything is said twice. */
  | { readonly kind: 'duplicate' }
  /** It says what isn't so: other amounts; "not there"; a definite no. */
  | { readonly kind: 'lie' }
  | { readonly kind: 'refuse'; readonly reason?: string }
  /** For a send: its reference was used before, so nothing happens. */
  | { readonly kind: 'exists' }
  /** The answer comes late: what it says was true when it was asked. */
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
