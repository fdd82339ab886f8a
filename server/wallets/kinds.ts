// What goes out of wallets, as the room of money out counts it.

import { defineOutKind } from '../moneyout/index.ts';

export const WITHDRAWAL = defineOutKind('withdrawal');
export const TRANSFER = defineOutKind('transfer');
