import type { OrderView } from '../order.ts';

/** A stored order: the machine's view, and the additional data that people need. */
export interface StoredOrder {
  readonly view: OrderView;
  readonly number: string;
  /** The customer's address as typed. Empty if none is known: only for an unallocated payment of another owner's payer. */
  readonly email: string;
  /** The account holder in whose session the order was placed. */
  readonly holderId?: string;
  readonly locale: 'en' | 'ru';
  /** Worth of the amount given at the placing, in cents of USD. */
  readonly usd: bigint;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** Moment of the machine's next timer. */
  readonly dueAt?: Date;
  readonly finishedAt?: Date;
  readonly device?: string;
  readonly ip?: string;
  readonly calculationId?: string;
  readonly unallocatedOf?: string;
  readonly tokenVersion: number;
  /** Receiving address or account for the order's payment. */
  readonly payTo?: string;
  readonly payMemo?: string;
  /** True if the row was changed outside the product: nothing is sent or mailed for the order. */
  readonly isAltered?: true;
}
