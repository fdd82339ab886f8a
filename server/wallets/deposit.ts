import { type Journal, type Leg, accounts, leg } from '../ledger/index.ts';
import type { PayinBody, PayinEvent } from '../payments/index.ts';

/**
 * How a payment into a wallet stands: on its rail, not final · final, but a person has to look at its sender · credited ·
 * gone before it was final · taken back after it was.
 */
export type DepositStatus = 'seen' | 'checking' | 'final' | 'dropped' | 'reversed';

/** A payment into a wallet. Amounts are parts of its unit. */
export interface Deposit {
  readonly payinId: string;
  readonly placeId: string;
  readonly holderId: string;
  readonly currency: string;
  readonly unit: string;
  readonly parts: bigint;
  readonly txid: string;
  readonly status: DepositStatus;
  readonly confirmations: number;
  readonly needed: number;
  readonly seenAt: Date;
  readonly finalAt: Date | undefined;
}

const STATUS: Record<PayinEvent, DepositStatus> = {
  seen: 'seen',
  progress: 'seen',
  final: 'final',
  dropped: 'dropped',
  reversed: 'reversed',
};

/** How a deposit stands after payments' word. What is taken back, or comes back, in part leaves the rest as it was. */
export function after(
  body: PayinBody,
  known: Deposit | undefined,
  given: Pick<Deposit, 'placeId' | 'holderId'>,
  now: Date,
): Deposit {
  const isSame = body.part !== undefined || body.event === 'progress';
  const status = (isSame ? known?.status : undefined) ?? STATUS[body.event];
  const { payinId, currency, unit, txid, confirmations, needed } = body;
  return {
    ...{ payinId, currency, unit, txid, confirmations, needed, status },
    ...given,
    parts: BigInt(body.parts),
    seenAt: known?.seenAt ?? new Date(body.seenAt),
    finalAt: status === 'final' ? (known?.finalAt ?? now) : known?.finalAt,
  };
}

/** W1: what arrived becomes the holder's, less what its provider kept of it. */
export function credit(body: PayinBody, holderId: string, id: string): Journal {
  const wallet = accounts.wallet(holderId, body.unit);
  const custody = accounts.custody(body.currency, body.place, body.unit);
  const parts = partsOf(body);
  const kept = body.part === undefined ? BigInt(body.kept ?? '0') : 0n;
  const legs: Leg[] = [leg(custody, wallet, parts)];
  if (kept > 0n) legs.push(leg(wallet, custody, kept));
  return { id, kind: 'deposit', cause: body.payinId, legs };
}

/**
 * W6: what was taken back leaves the wallet as far as it is there; the rest is owed to us (O12). `available`: parts that
 * the wallet holds.
 */
export function takeBack(body: PayinBody, holderId: string, available: bigint, id: string): Journal {
  const custody = accounts.custody(body.currency, body.place, body.unit);
  const parts = partsOf(body);
  const there = available < parts ? available : parts;
  const legs: Leg[] = [];
  if (there > 0n) legs.push(leg(accounts.wallet(holderId, body.unit), custody, there));
  if (there < parts) legs.push(leg(accounts.receivable(holderId, body.unit), custody, parts - there));
  return { id, kind: 'deposit_reversed', cause: body.payinId, legs };
}

/** How much a word of payments is about, in parts. */
export const partsOf = (body: PayinBody): bigint => BigInt(body.part ?? body.parts);
