// Kinds of owners in the desk's tests. Only for tests.

import type { OwnerKind } from '../collecting/index.ts';
import { ORDER_OWNER } from '../exchange/index.ts';
import { INVOICE_OWNER } from '../gate/index.ts';
import { WALLET_OWNER } from '../wallets/index.ts';

export const OWNERS: readonly OwnerKind[] = [ORDER_OWNER, WALLET_OWNER, INVOICE_OWNER];
