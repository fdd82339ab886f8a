/**
 * All problems of calls, with their status. Titles and messages are in `words/*.json`, in both languages. Any other error becomes
 * `internal`: logged completely, answered without details.
 */
export const PROBLEMS = {
  validation: 422,
  not_found: 404,
  method_not_allowed: 405,
  payload_too_large: 413,
  unsupported_media_type: 415,
  unauthorised: 401,
  forbidden: 403,
  unknown_client: 403,
  rate_limited: 429,
  idempotency_mismatch: 422,
  idempotency_in_flight: 409,
  unavailable: 503,
  internal: 500,

  rates_unavailable: 503,
  direction_unknown: 404,
  direction_closed: 409,
  deposits_closed: 409,
  calculation_not_found: 404,
  calculation_expired: 410,
  calculation_used: 409,
  calculation_incomplete: 409,
  quote_expired: 409,
  market_moved: 409,
  review_changed: 409,
  bot_check_required: 403,
  bot_check_failed: 403,
  bot_check_unavailable: 503,
  too_many_unpaid_orders: 429,
  account_refused: 422,
  sign_in_needed: 403,
  level_needed: 403,

  order_not_found: 404,
  order_changed: 409,
  choice_not_open: 409,
  offer_expired: 409,
  code_required: 403,
  code_wrong: 422,
  code_expired: 410,
  login_wrong: 401,
  google_wrong: 401,
  google_proof_required: 401,
  google_off: 409,
  google_unavailable: 503,
  two_factor_required: 401,
  two_factor_wrong: 422,
  two_factor_on: 409,
  two_factor_off: 409,
  account_has_money: 409,
  account_has_orders: 409,
  account_has_withdrawals: 409,
  gateway_unknown: 404,
  nothing_due: 409,
  too_many_entries: 429,
  nothing_to_show: 404,
  voucher_sealed: 503,

  withdrawals_frozen: 403,
  record_altered: 409,
  not_enough_money: 409,
  debt_open: 409,
  reversal_pending: 409,
  not_on_allow_list: 409,
  account_closed: 409,
  debt_stops: 409,
  blocked: 403,
  withdrawal_closed: 409,
  fee_changed: 409,
  no_such_holder: 404,

  ticket_not_found: 404,

  business_exists: 409,
  business_not_approved: 403,
  owner_level_low: 409,
  stores_too_many: 409,
  store_without_members: 409,
  store_without_sites: 409,
  invitation_over: 410,
  account_has_business: 409,
  account_has_stores: 409,
  business_not_empty: 409,

  store_closed: 409,
  invoice_unknown: 404,
  invoice_not_open: 409,
  invoice_changed: 409,
  payer_decided: 409,
  accept_over: 410,
  delivery_overtaken: 409,
  webhook_off: 409,
  too_many_webhooks: 409,
  invoice_unfinished: 409,
  mark_refused: 422,
  invoice_too_small: 422,
  method_closed: 409,
  not_a_test: 409,
  too_many_choices: 429,
  unpaid_options: 429,
  business_limit: 409,
  business_owes: 409,
  not_deep_yet: 409,
  payment_disputed: 409,
  not_enough_in_store: 409,

  link_unknown: 404,
  link_off: 409,
  link_used_up: 410,
  store_limit: 409,
  links_too_many: 409,
  refund_unknown: 404,
  refund_too_large: 409,
  refund_not_covered: 409,
  refund_over: 410,
  claim_changed: 409,

  second_person_required: 409,
  same_person: 403,
  action_not_open: 409,
  request_differs: 409,
  request_over: 409,
  not_enough_there: 409,
  difference_changed: 409,
  nothing_to_close: 409,
  coupon_unknown: 404,
  coupon_over: 410,
  coupon_altered: 409,
  coupon_not_here: 409,
  coupon_not_yours: 409,
  coupon_taken: 409,
  pot_too_small: 409,
  campaign_taken: 409,
  earn_closed: 409,
  earn_wait: 429,
  earn_pot_empty: 409,
  earn_cap: 429,
  claim_over: 410,
  earn_task_open: 409,
  earn_order_first: 409,
  affiliate_suspended: 403,
  rewards_owed: 409,
  partner_not_yet: 403,
  partner_suspended: 403,
  alias_taken: 409,
} as const satisfies Record<string, number>;

export type ProblemCode = keyof typeof PROBLEMS;

/** A problem of one field: a key of the words under `fields`, and the parameters of its sentence. */
export interface FieldProblem {
  readonly code: string;
  readonly params?: Readonly<Record<string, string>>;
}

export interface ProblemDetails {
  readonly errors?: Readonly<Record<string, FieldProblem | readonly FieldProblem[]>>;
  readonly params?: Readonly<Record<string, string>>;
  /** Seconds after which to try again. */
  readonly retryAfter?: number;
  /** For a rate limit: number of calls that the limit allows in its window. */
  readonly max?: number;
  /** For a used calculation: the order that was placed from the calculation, if the caller has proven to own that order. */
  readonly order?: { readonly id: string; readonly token: string };
  /** For a required bot check: the required proof of work. */
  readonly work?: number;
  /** Cause for the log, never shown. */
  readonly cause?: unknown;
}

/** Thrown to abandon an action and its transaction for a named reason. */
export class Problem extends Error {
  readonly code: ProblemCode;
  readonly details: ProblemDetails;

  constructor(code: ProblemCode, details: ProblemDetails = {}) {
    super(code, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = 'Problem';
    this.code = code;
    this.details = details;
  }

  get status(): number {
    return PROBLEMS[this.code];
  }
}

/** Returns a validation problem of one field. */
export function fieldProblem(field: string, code: string, params?: Readonly<Record<string, string>>): Problem {
  return new Problem('validation', { errors: { [field]: params ? { code, params } : { code } } });
}
