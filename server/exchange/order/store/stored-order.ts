import type { OrderView } from '../order.ts';

/** A stored order: what the machine decides by, and what people need around it. */
export interface StoredOrder {
  readonly view: OrderView;
  readonly number: string;
  readonly email: string;
  /** The account holder whose session it was placed with. */
  readonly holderId?: string;
  readonly locale: 'en' | 'ru';
  /** Worth of what is given when it was placed, in cents of USD. */
  readonly usd: bigint;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** When a timer of the machine is due next. */
  readonly dueAt?: Date;
  readonly finishedAt?: Date;
  readonly device?: string;
  readonly ip?: string;
  readonly calculationId?: string;
  readonly unallocatedOf?: string;
  readonly tokenVersion: number;
  /** Where it is to be paid. */
  readonly payTo?: string;
  readonly payMemo?: string;
  /** Somebody changed the row past the product: nothing is sent or mailed for the order. */
  readonly isAltered?: true;
}
