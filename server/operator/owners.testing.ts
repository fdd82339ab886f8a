// The kinds of owners that the desk's tests know. For tests only.

import type { OwnerKind } from '../collecting/index.ts';
import { ORDER_OWNER } from '../exchange/index.ts';
import { WALLET_OWNER } from '../wallets/index.ts';

export const OWNERS: readonly OwnerKind[] = [ORDER_OWNER, WALLET_OWNER];
