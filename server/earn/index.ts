// Earn: small prizes that anyone can check, and tasks that are paid once.
//
// draw      a holder's draw of an hour: the desk commits to a seed, the holder adds a text, and both determine the prize
// table     prizes, and how many of a million numbers win each
// purse     amount that can still be won: of the pot less the possible prizes of open draws, and of the day's limit
// prize     the winnings of a draw or a task: credit on fees, or money in the wallet
// abandoned a draw that was not claimed in time: its seed is published without its holder
// order     a holder's exchange: the first mature one lets prizes go into the wallet, up to the desk's profit from them
// machine   the states of draws as data: draw.ts

export { DRAW_MACHINE, DRAW_POSTINGS } from './draw.ts';
export { forgetWhence } from './draw-store.ts';
export { earnCheck } from './check-books.ts';
export { earnSubscription } from './orders.ts';
export { giveUpPrizes } from './out.ts';
export { setAside as setAsideForDraws } from './purse.ts';
export { forgetDays, tendPrizes, wasEmptyAtNoons } from './refill.ts';
export { earnRoutes } from './routes.ts';
export { drawRows } from './views.ts';
