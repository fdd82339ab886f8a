// Earn: small prizes that anyone can check, and tasks that are paid once.
//
// draw      a holder's of an hour: the desk commits to a seed, the holder adds a text, and both decide the prize
// table     prizes, and how many of a million numbers win each
// purse     what may still be won: of the pot beside what open draws may win, and of the day's sum
// prize     what a draw or a task brought: the holder's, to be used as credit on fees or put into the wallet
// abandoned a draw that was not claimed in time: its seed is published, without whose it was
// order     what a holder exchanged: the first mature one lets prizes go into the wallet, as far as the desk earned by them
// machine   of draws as data: draw.ts

export { DRAW_MACHINE, DRAW_POSTINGS } from './draw.ts';
export { forgetWhence } from './draw-store.ts';
export { earnJudge } from './judge.ts';
export { earnSubscription } from './orders.ts';
export { giveUpPrizes } from './out.ts';
export { setAside as setAsideForDraws } from './purse.ts';
export { forgetDays, tendPrizes, wasEmptyAtNoons } from './refill.ts';
export { earnRoutes } from './routes.ts';
export { drawRows } from './views.ts';
