import { type AccountRef, type Journal, type Leg, accounts, leg } from '../ledger/index.ts';
import type { PayinBody, PayinEvent } from '../payments/index.ts';

/**
 * How a payment into a wallet stands: on its rail, not final · the holder's, not to be used before a person has looked at its
 * sender · credited · gone before it was final · taken back after it was.
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

/** Where a holder's money of a deposit stands: available, or not to be used while a person looks at its sender. */
export const walletOf = (holderId: string, unit: string, held: boolean): AccountRef =>
  held ? accounts.walletUncleared(holderId, unit) : accounts.wallet(holderId, unit);

/** W1: what arrived becomes the holder's, less what its provider kept of it. */
export function credit(body: PayinBody, wallet: AccountRef, id: string): Journal {
  const custody = accounts.custody(body.currency, body.place, body.unit);
  const kept = body.part === undefined ? BigInt(body.kept ?? '0') : 0n;
  const legs: Leg[] = [leg(custody, wallet, partsOf(body))];
  if (kept > 0n) legs.push(leg(wallet, custody, kept));
  return { id, kind: 'deposit', cause: body.payinId, legs };
}

/**
 * W6: what was taken back leaves the wallet as far as it is there (`available`, in parts); the rest is owed to us (O12).
 */
export function takeBack(
  body: PayinBody,
  { wallet, owes, available }: { readonly wallet: AccountRef; readonly owes: AccountRef; readonly available: bigint },
  id: string,
): Journal {
  const custody = accounts.custody(body.currency, body.place, body.unit);
  const parts = partsOf(body);
  const there = available < parts ? available : parts;
  const legs: Leg[] = [];
  if (there > 0n) legs.push(leg(wallet, custody, there));
  if (there < parts) legs.push(leg(owes, custody, parts - there));
  return { id, kind: 'deposit_reversed', cause: body.payinId, legs };
}

/** How much a word of payments is about, in parts. */
export const partsOf = (body: PayinBody): bigint => BigInt(body.part ?? body.parts);
