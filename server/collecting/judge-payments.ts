// What final payments count as: by the screening of who sent them, which they wait for, and held where one that can be taken
// back isn't paid from its customer's own account.

import { isReversible, screens, strangersAmong, verdictsOnPayments } from '../compliance/index.ts';
import { type PayinBody, strangePayins } from '../payments/index.ts';
import type { Owner, Tx } from '../platform/index.ts';

/** A payment that is told of, and what it is for. */
export interface PaidFor {
  readonly body: PayinBody;
  /** Id of the owner whom the event is told to. */
  readonly toldTo: string;
  /** What it is for, and its customer's e-mail; without them nobody asks whose account has paid. */
  readonly by?: { readonly owner: Owner; readonly email: string } | undefined;
}

/** What is known of a payment. What isn't final is clean: nothing is decided upon it yet. */
export interface Judgement {
  /** `waits`: it is told as final, and can't be counted yet (`why`). Of a clean one that a stranger has paid: `soft`. */
  readonly verdict: 'clean' | 'soft' | 'hard' | 'waits';
  readonly why?: string;
  /** It is told as final, and no row of payments has it so. */
  readonly isStrange?: true;
  readonly isFlagged: boolean;
  readonly isStranger: boolean;
}

/** Why a payment by somebody else is held, as people of the desk read it. */
export const STRANGER = 'paid from an account that isn’t known as this person’s';

const UNSCREENED = 'the payment is not screened yet';
const UNRECORDED = 'the payment that is told of is not recorded so';

const CLEAN: Judgement = { verdict: 'clean', isFlagged: false, isStranger: false };

/**
 * Has new payments screened, and judges those that are final now; gives what is known of each. One that no row of payments has
 * as it is told waits for people: somebody else may have written that event.
 */
export async function judgePayments(tx: Tx, paid: readonly PaidFor[]): Promise<(body: PayinBody) => Judgement> {
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

/** Payments, by id, that can be taken back and don't come from their customer's own account. */
async function strangePayments(tx: Tx, paid: readonly PaidFor[]): Promise<ReadonlySet<string>> {
  const paying = paid.flatMap(({ body: { event, payinId, currency, from }, by }) =>
    event === 'final' && by && isReversible(currency) ? [{ payinId, ...by, accounts: from }] : [],
  );
  const strangers = await strangersAmong(tx, paying);
  return new Set(paying.filter((_, at) => strangers.has(at)).map(({ payinId }) => payinId));
}
