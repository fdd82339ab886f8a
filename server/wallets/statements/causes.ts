// Details of the deposits and transfers that entries of the books are about. Other rooms add the details of their own rows by the
// same causes.

import type { Statements } from '../../platform/index.ts';
import type { Operation } from './operation.ts';
import { type DepositAtAddress, depositsOfHolder } from './statement-store.ts';
import { transfersAmong } from '../transfer-store.ts';
import { text } from '../sums.ts';

/** Details of an operation that its entry in the books lacks. If a field is absent, the operation shows the data of the books. */
export interface CauseDetail extends Partial<
  Pick<
    Operation,
    'kind' | 'status' | 'order' | 'by' | 'address' | 'person' | 'txid' | 'fee' | 'note' | 'confirmations' | 'needed' | 'free_at'
  >
> {
  /** For an order: unit of the wallet that the order was paid from. Money that the order sends to that wallet is a refund. */
  readonly refunds?: string;
  /** Steps of the operation, oldest first. `what`: name of the step that pages know (`seen`, `final`, …). */
  readonly steps?: readonly { readonly at: Date; readonly what: string }[];
}

/**
 * Function that returns a room's details of a holder's operations, by the causes of their journals. Unknown causes and those of
 * another holder are left out.
 */
export type CauseSource = (
  db: Statements,
  holderId: string,
  causes: readonly string[],
) => Promise<ReadonlyMap<string, CauseDetail>>;

const DEPOSIT_STATUS = {
  seen: 'confirming',
  checking: 'checking',
  maturing: 'maturing',
  returning: 'checking',
  final: 'done',
  dropped: 'failed',
  reversed: 'cancelled',
  returned: 'returned',
} as const satisfies Record<DepositAtAddress['status'], Operation['status']>;

/** Returns the details of a deposit's operation. */
export function depositDetail(one: DepositAtAddress): CauseDetail {
  const { currency, txid, address, confirmations, needed, fee, unit } = one;
  return {
    ...{ kind: 'deposit', status: DEPOSIT_STATUS[one.status], by: currency, txid, address, confirmations, needed },
    ...(fee > 0n && { fee: { amount: text(unit, fee), currency: unit } }),
    ...(one.status === 'maturing' && one.freeAt && { free_at: one.freeAt.toISOString() }),
    steps: stepsOf(one),
  };
}

/** Returns the steps of a deposit, oldest first. */
function stepsOf({ status, seenAt, finalAt, clearedAt, endedAt, isFlagged, freeAt }: DepositAtAddress) {
  const isClear = clearedAt !== undefined && clearedAt.getTime() === finalAt?.getTime();
  const what = isClear ? 'final' : isFlagged || freeAt === undefined ? 'checking' : 'maturing';
  const over = status === 'dropped' || status === 'reversed' || status === 'returned';
  return [
    { at: seenAt, what: 'seen' },
    ...(finalAt ? [{ at: finalAt, what }] : []),
    ...(clearedAt && !isClear ? [{ at: clearedAt, what: 'cleared' }] : []),
    ...(over && endedAt ? [{ at: endedAt, what: status }] : []),
  ];
}

/** Returns details of deposits, by the causes of their journals; a cause is the payment's id. */
export const depositSource: CauseSource = async (db, holderId, causes) => {
  const found = await depositsOfHolder(db, holderId, { ids: causes, limit: causes.length });
  return new Map(found.map((one) => [one.payinId, depositDetail(one)]));
};

/** Returns details of transfers, by the causes of their journals; a cause is the transfer's id. */
const transferSource: CauseSource = async (db, holderId, causes) => {
  const found = await transfersAmong(db, holderId, causes);
  return new Map(
    found.map(({ id, note, person }) => [
      id,
      { kind: 'transfer', ...(note !== null && { note }), ...(person !== null && { person }) },
    ]),
  );
};

const GROUP = 1_000;

/** Returns the details of a holder's operations from all sources, by the causes of their journals. */
export async function detailsOf(
  db: Statements,
  sources: readonly CauseSource[],
  holderId: string,
  causes: readonly string[],
): Promise<Map<string, CauseDetail>> {
  const all = new Map<string, CauseDetail>();
  const distinct = [...new Set(causes)];
  for (let at = 0; at < distinct.length; at += GROUP) {
    const group = distinct.slice(at, at + GROUP);
    for (const source of [depositSource, transferSource, ...sources])
      for (const [cause, detail] of await source(db, holderId, group)) all.set(cause, { ...all.get(cause), ...detail });
  }
  return all;
}
