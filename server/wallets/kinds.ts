// Kinds of outgoing money of wallets, for the room `moneyout`.

export const WITHDRAWAL = 'withdrawal';
export const TRANSFER = 'transfer';
