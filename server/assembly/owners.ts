import type { OwnerKind } from '../collecting/index.ts';
import { ORDER_OWNER } from '../exchange/index.ts';
import { INVOICE_OWNER, REFUND_OWNER } from '../gate/index.ts';
import { WALLET_OWNER } from '../wallets/index.ts';

/** All kinds of owners of money. Each process, command and the simulation takes them from here. */
export const OWNERS: readonly OwnerKind[] = [ORDER_OWNER, WALLET_OWNER, INVOICE_OWNER, REFUND_OWNER];
