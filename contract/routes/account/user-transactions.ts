import { z } from 'zod';
import { line } from '../../fields/free-text.ts';
import { route } from '../../route.ts';
import { amount, day, inOrder, moment, money, orderId, page, time, unitCode } from '../../wire.ts';

/**
 * Status of an operation: arriving · checked by a person · can still be reversed by its payment system · requested · leaving ·
 * complete · cancelled or reversed · failed · returned to its sender.
 */
const operationStatus = z.enum(
  ['confirming', 'checking', 'maturing', 'waiting', 'paying', 'done', 'cancelled', 'failed', 'returned'],
  { error: 'wrong_value' },
);

const operationKind = z.enum(['deposit', 'exchange', 'withdrawal', 'transfer', 'reward', 'other'], {
  error: 'wrong_value',
});

const operationId = z.string().regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}(\.\d{1,3})?$/, { error: 'id_format' });
/** Position at which a search through a long statement stopped, as in `meta.searched.next`. */
const polledTo = z
  .string()
  .max(3_000, { error: 'wrong_value' })
  .regex(
    /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)?~[0-9a-f-]{0,36}~[A-Z][A-Z0-9_]{1,19}\.\d{1,18}(-[A-Z][A-Z0-9_]{1,19}\.\d{1,18})*$/,
    { error: 'wrong_value' },
  );

/** Filters for operations: `currency` lists units of wallets; `min` and `max` bound the sum without its sign. */
const operationFilter = {
  kind: z.array(operationKind, { error: 'wrong_value' }).max(6).optional(),
  status: z.array(operationStatus, { error: 'wrong_value' }).max(9).optional(),
  currency: z.array(unitCode, { error: 'wrong_value' }).max(50).optional(),
  from: day.optional(),
  to: day.optional(),
  min: amount.optional(),
  max: amount.optional(),
  q: z.string().max(120, { error: 'too_long' }).optional(),
};

const operation = z
  .object({
    id: operationId,
    kind: operationKind,
    /** Kind in the books: `deposit`, `withdrawal_asked`, `transfer`, …; `refund` is money returned by an order. */
    entry: z.string(),
    status: operationStatus,
    at: time,
    /** Unit of the wallet. */
    currency: z.string(),
    /** Change of the wallet; negative if money left. */
    amount: z.string(),
    /** Available balance afterwards; null while the money is arriving. */
    balance: amount.nullable(),
    /** Order that the operation belongs to. */
    order: orderId.optional(),
    /** Currency in which the money came in or went out. */
    by: line().optional(),
    address: z.string().optional(),
    /**
     * For a transfer: the other person. The sender sees the receiver's address as typed; the receiver sees the sender's name
     * and masked address.
     */
    person: line().optional(),
    txid: z.string().optional(),
    fee: money.optional(),
    /** Note of a transfer's sender. */
    note: line().optional(),
    /** Current confirmations of an arriving payment. */
    confirmations: z.int().optional(),
    /** Confirmations after which an arriving payment is final. */
    needed: z.int().optional(),
    /** For a reversible deposit: time from which its payment system can't take it back. */
    free_at: time.optional(),
  })
  .meta({ id: 'Operation' });

const own = { allows: 'user', tag: 'Wallets' } as const;

export const userTransactions = route({
  ...own,
  method: 'GET',
  path: '/user/transaction/filter',
  summary:
    'Operations of the caller’s wallets, newest first, including arriving money. `from` and `to` are days in UTC, both included; `q` is a part of an order’s number, an address or a transaction. If `from`, `to` and `currency` leave more than 2 000 entries, the other filters search them in parts, newest first: `meta.looked` says how far back, and its `next` is the value of `before` for searching further',
  input: z.object({ ...operationFilter, ...page, before: polledTo.optional() }).refine(...inOrder),
  output: z.array(operation),
  problems: [],
  isList: true,
});

export const userTransactionFigures = route({
  ...own,
  method: 'GET',
  path: '/user/transaction/figures',
  summary:
    'Number of matching operations of each kind (`counts`; null if there are more than 2 000 entries to count) and, with exactly one `currency`, the available balance before the first day and after the last',
  input: z.object(operationFilter).refine(...inOrder),
  output: z.object({
    counts: z.record(operationKind, z.int()).nullable(),
    opening: amount.nullable(),
    closing: amount.nullable(),
  }),
  problems: [],
});

export const userTransaction = route({
  ...own,
  method: 'GET',
  path: '/user/transaction',
  summary: 'One operation of the caller, with its steps so far',
  input: z.object({ id: operationId }),
  output: operation.extend({ steps: z.array(z.object({ at: time, what: z.string() })) }),
  problems: ['not_found'],
});

export const walletBalance = route({
  ...own,
  method: 'GET',
  path: '/wallet/balance',
  summary: 'Balance of one of the caller’s wallets at a moment, after the last entry at or before it',
  input: z.object({ currency: unitCode, at: moment.optional() }),
  output: z.object({
    currency: z.string(),
    at: time,
    available: amount,
    held: amount,
    uncleared: amount,
    total: amount,
  }),
  problems: [],
});

export const transactionExportTicket = route({
  ...own,
  method: 'POST',
  path: '/export/transactions/ticket',
  summary:
    'A one-use link, valid for 60 s, that downloads the caller’s operations as statements of their wallets: for a browser, whose links carry no session',
  input: z
    .object({ ...operationFilter, format: z.enum(['csv', 'xlsx'], { error: 'wrong_value' }).default('csv') })
    .refine(...inOrder),
  output: z.object({ url: z.string(), expires_in: z.int() }),
  problems: [],
});
