// Checks final payments: their senders are screened. The sender of a reversible payment must also be the customer's own account.

import { isReversible, screens, strangersAmong, verdictsOnPayments } from '../compliance/index.ts';
import { type PayinBody, strangePayins } from '../payments/index.ts';
import type { Owner, Tx } from '../platform/index.ts';

/** A payment event, and the owner that receives it. */
export interface PaidFor {
  readonly body: PayinBody;
  /** Id of the owner that receives the event. */
  readonly reportedTo: string;
  /**
   * Owner of the payment, and the customer's e-mail address. If absent, the sender's account is not compared with the customer's.
   */
  readonly by?: { readonly owner: Owner; readonly email: string } | undefined;
}

/** Result of checking a payment. A payment that isn't final is `clean`, because nothing is decided about it yet. */
export interface PaymentVerdict {
  /**
   * `waits`: the payment is final, but must not be credited yet, for the reason in `why`. A payment with a clean screening is
   * `soft` if a stranger's account sent it.
   */
  readonly verdict: 'clean' | 'soft' | 'hard' | 'waits';
  readonly why?: string;
  /** True if the event calls the payment final, but the records of the payments room don't confirm that. */
  readonly isStrange?: true;
  readonly isFlagged: boolean;
  readonly isStranger: boolean;
}

/** Reason for holding a payment from somebody else's account, as operators read it. */
export const STRANGER = 'paid from an account that isn’t known as this person’s';

const UNSCREENED = 'the payment is not screened yet';
const UNRECORDED = 'the payment that is told of is not recorded so';

const CLEAN: PaymentVerdict = { verdict: 'clean', isFlagged: false, isStranger: false };

/**
 * Has new payments screened, and checks those that are final now. Returns a function that gives the result for each payment. If
 * the records of the payments room don't confirm an event, somebody may have written the event by SQL. Its payment then waits for
 * people.
 */
export async function checkPayments(tx: Tx, paid: readonly PaidFor[]): Promise<(body: PayinBody) => PaymentVerdict> {
  const unrecorded = await strangePayins(tx, paid);
  const strangers = await strangePayments(tx, paid);
  const verdicts = screens()
    ? await verdictsOnPayments(
        tx,
        paid.map(({ body }) => ({ ...body, isFinal: body.event === 'final' })),
      )
    : undefined;
  return ({ event, payinId }) => {
    if (event !== 'final') return CLEAN;
    if (unrecorded.has(payinId)) return { ...CLEAN, verdict: 'waits', why: UNRECORDED, isStrange: true };
    const screened = verdicts ? (verdicts.get(payinId) ?? 'waits') : 'clean';
    const isStranger = strangers.has(payinId);
    return {
      verdict: screened === 'clean' && isStranger ? 'soft' : screened,
      ...(screened === 'waits' && { why: UNSCREENED }),
      isFlagged: screened === 'soft' || screened === 'hard',
      isStranger,
    };
  };
}

/** Returns ids of reversible payments that were not sent from the customer's own account. */
async function strangePayments(tx: Tx, paid: readonly PaidFor[]): Promise<ReadonlySet<string>> {
  const paying = paid.flatMap(({ body: { event, payinId, currency, from }, by }) =>
    event === 'final' && by && isReversible(currency) ? [{ payinId, ...by, accounts: from }] : [],
  );
  const strangers = await strangersAmong(tx, paying);
  return new Set(paying.filter((_, at) => strangers.has(at)).map(({ payinId }) => payinId));
}
