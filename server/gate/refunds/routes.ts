// Bindings of the contract's calls about refunds and claims to this folder's verbs; no logic.

import { Problem, type Routes } from '@kurs/contract';
import type { Sender } from '../../deliveries/index.ts';
import {
  type Context,
  type Db,
  type Statements,
  type Work,
  alsoAbout,
  answeredChange,
  canonicalEmail,
  listMeta,
  userOf,
} from '../../platform/index.ts';
import { openStore } from '../stores/store-rows.ts';
import { capsView, setCap } from './actions/caps.ts';
import { claimRefund, mailCodeOfRefund } from './actions/claim-refund.ts';
import { type MemberDecision, decideAsMember } from './actions/decide-claim.ts';
import { cancelRefund } from './actions/end-refund.ts';
import { makeRefund } from './actions/make-refund.ts';
import type { Refund, RefundMaker } from './machine/refund.ts';
import { refundBySecret } from './refund-secret.ts';
import { readRefund, requireUnaltered } from './rows/refund-rows.ts';
import { claimPageWire } from './views/claim-wire.ts';
import { refundAmountsView } from './views/refund-amounts.ts';
import { claimsForMembers, refundList } from './views/refund-list.ts';
import { statusOfRefund } from './views/refund-stream.ts';
import { claimWire, refundWire } from './views/refund-wire.ts';
import { refundRowWire } from './wire.ts';

type Names =
  | 'refundMake'
  | 'refunds'
  | 'storeRefund'
  | 'refundCancel'
  | 'refundClaims'
  | 'claimConfirm'
  | 'claimRefuse'
  | 'refundAmounts'
  | 'refundCaps'
  | 'refundCapSet'
  | 'refundPage'
  | 'refundStatus'
  | 'refundGetOtp'
  | 'refundClaim';

interface RefundDeps {
  readonly db: Db;
  readonly sender: Sender;
}

const CODES_REQUESTED = { max: 20, seconds: 3_600 };
/** Codes that the refunds of one seller mail to one address. A store can type any address. */
const CODES_TO_ONE = { max: 10, seconds: 86_400 };
const CLAIMS = { max: 60, seconds: 3_600 };

/** Returns the handlers of the calls about refunds, of members and keys and of claimants. */
export function refundRoutes(deps: RefundDeps): { [N in Names]: Work<Routes[N]> } {
  return { ...storeRefundRoutes(deps), ...claimantRoutes(deps) };
}

type OfClaimants = 'refundPage' | 'refundStatus' | 'refundGetOtp' | 'refundClaim';

function storeRefundRoutes(deps: RefundDeps): { [N in Exclude<Names, OfClaimants>]: Work<Routes[N]> } {
  const { db, sender } = deps;
  const shown = (refund: Refund, caller: RefundMaker, read: Statements = db) => refundWire(read, sender, refund, caller);
  const decide = async (context: Context, decided: Omit<MemberDecision, 'by'>) => {
    const by = makerOf(context, decided.store);
    return shown(await decideAsMember(deps, { ...decided, by }), by);
  };
  return {
    async refundMake(input, context) {
      const maker = makerOf(context, input.store);
      const answer = await answeredChange(
        db,
        context,
        (keep) => makeRefund({ ...deps, keep }, input, maker, context.locale),
        (read: Statements, made: Refund) => shown(made, maker, read),
      );
      alsoAbout({ refundId: answer.id });
      return answer;
    },
    async refunds(input) {
      await openStore(db, input.store);
      const { refunds, total, next } = await refundList(db, input);
      return { data: refunds.map(refundRowWire), meta: listMeta(input, total, { rows: refunds.length, next }) };
    },
    storeRefund: async (input, context) => shown(await ofStore(db, input), makerOf(context, input.store)),
    refundCancel: async (input, context) => shown(await cancelRefund(db, input), makerOf(context, input.store)),
    async refundClaims(input) {
      const { claims, total, next } = await claimsForMembers(db, input);
      return { data: claims.map(claimWire), meta: listMeta(input, total, { rows: claims.length, next }) };
    },
    claimConfirm: (input, context) => decide(context, { ...input, action: 'confirm' }),
    claimRefuse: (input, context) => decide(context, { ...input, action: 'refuse' }),
    refundAmounts: (input) => refundAmountsView(db, input),
    refundCaps: ({ store }) => capsView(db, store),
    refundCapSet: (input, context) => setCap(db, input, userOf(context).id),
  };
}

function claimantRoutes(deps: RefundDeps): { [N in OfClaimants]: Work<Routes[N]> } {
  const { db, sender } = deps;
  return {
    async refundPage({ id, token, ...wanted }, { locale }) {
      return claimPageWire(db, await refundBySecret(db, sender.tokens, { id, token }), wanted, locale);
    },
    refundStatus: async (input) => statusOfRefund(db, await refundBySecret(db, sender.tokens, input)),
    async refundGetOtp(input, { limit }) {
      const { store, email = '' } = await refundBySecret(db, sender.tokens, input);
      await limit(`code of refund ${input.id}`, CODES_REQUESTED);
      await limit(`codes of refunds of ${store.businessId ?? store.holderId} to ${canonicalEmail(email)}`, CODES_TO_ONE);
      return mailCodeOfRefund(deps, input);
    },
    async refundClaim(input, context) {
      await refundBySecret(db, sender.tokens, input);
      await context.limit(`claim of refund ${input.id}`, CLAIMS);
      alsoAbout({ refundId: input.id });
      return answeredChange(
        db,
        context,
        (keep) => claimRefund({ ...deps, keep }, input, context),
        (read: Statements, refund: Refund) => claimPageWire(read, refund, {}, context.locale),
      );
    },
  };
}

async function ofStore(db: Statements, { store, id }: { readonly store: string; readonly id: string }): Promise<Refund> {
  const refund = requireUnaltered(await readRefund(db, id));
  if (refund.store.id !== store) throw new Problem('refund_unknown');
  return refund;
}

/** Returns the caller as a maker of refunds: the member, or the API key of the store. */
function makerOf({ principal, user }: Context, store: string): RefundMaker {
  if (principal?.kind !== 'key') return { kind: 'member', id: user?.id ?? principal?.id ?? '', isProposed: false };
  const permissions = principal.grants.filter(({ on }) => on?.id === store).flatMap((grant) => grant.permissions);
  return { kind: 'key', id: principal.id, isProposed: !permissions.includes('refunds.create') };
}
