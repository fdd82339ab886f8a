import type { Output, Routes } from '@kurs/contract';
import { format, money } from '@kurs/money';
import { currencyOf } from '../../payments/index.ts';
import type { CauseDetail, CauseSource } from '../statements/causes.ts';
import { type ShownStatus, shownStatus } from '../withdrawals/shown-status.ts';
import { CAME_TO_NOTHING, type Withdrawal } from '../withdrawals/withdrawal.ts';
import { withdrawalsAmong } from '../withdrawals/withdrawal-store.ts';

const OVER: ReadonlySet<string> = new Set(['done', ...CAME_TO_NOTHING]);
const CAN_CANCEL: ReadonlySet<ShownStatus> = new Set(['approving', 'queued']);

/** Reasons for not sending a withdrawal that its holder may see. */
const REPORTED = [
  ...(['withdrawals_frozen', 'debt_open', 'debt_stops', 'blocked', 'not_on_allow_list', 'above_bounds'] as const),
  ...(['affiliate_suspended', 'rewards_owed', 'rewards_taken_back'] as const),
] as const;

/** Returns a withdrawal as its holder sees it. */
export function withdrawalView(one: Withdrawal): Output<Routes['walletWithdrawRequest']> {
  const { id, source, unit, rail, currency, to, parts, fee, people, txid, confirmations, needed } = one;
  const status = shownStatus(one);
  const text = (sum: bigint): string => format(money(unit, sum));
  const why = REPORTED.find((reason) => reason === one.reason && (status === 'approving' || status === 'rejected'));
  return {
    ...{ id, source, currency: unit, rail, by: currency, network: currencyOf(currency)?.network ?? rail, to, status, people },
    ...{ amount: text(parts + fee), fee: text(fee), arrives: text(parts) },
    ...(txid !== undefined && { txid }),
    ...(confirmations !== undefined && { confirmations }),
    ...(needed !== undefined && { needed }),
    ...(why && { why }),
    can_cancel: CAN_CANCEL.has(status),
    asked_at: one.requestedAt.toISOString(),
    ended_at: OVER.has(status) ? one.statusAt.toISOString() : null,
  };
}

const SHOWN: Readonly<Record<ShownStatus, NonNullable<CauseDetail['status']>>> = {
  ...{ approving: 'checking', queued: 'paying', sending: 'paying', in_doubt: 'paying', sent: 'paying', done: 'done' },
  ...{ failed: 'failed', returned: 'failed', cancelled: 'cancelled', rejected: 'failed' },
};

/** Returns details of withdrawals, by the causes of their journals; a cause is the withdrawal's id. */
export const withdrawalSource: CauseSource = async (db, holderId, causes) => {
  const found = await withdrawalsAmong(db, holderId, causes);
  return new Map(found.map((one) => [one.id, detailOf(one)]));
};

function detailOf(one: Withdrawal): CauseDetail {
  const { unit, currency, fee, txid, requestedAt, statusAt } = one;
  const status = shownStatus(one);
  const address = Object.values(one.to).join(' ');
  return {
    ...{ kind: 'withdrawal', status: SHOWN[status], by: currency },
    ...(address !== '' && { address }),
    ...(txid !== undefined && { txid }),
    fee: { amount: format(money(unit, fee)), currency: unit },
    steps: [{ at: requestedAt, what: 'asked' }, ...(status === 'approving' ? [] : [{ at: statusAt, what: status }])],
  };
}
