// What goes out of wallets, as the room of money out counts it.

export const WITHDRAWAL = 'withdrawal';
export const TRANSFER = 'transfer';
