// Entry for tests of higher rooms: a desk of one memory rail over a fresh database.

export { takeBack } from './payins/take-back.testing.ts';
export { writeBalanceMacs } from './balances/balance-macs.ts';
export { weighAddresses } from './payins/growth.ts';
export { arrived, recordArrived } from './payins/payin.testing.ts';
export { savePayins } from './payins/payin-store.ts';
export { type Desk, openDesk } from './scenarios/world.testing.ts';
export { booksMac } from './payouts/rows/payout-accounts.ts';
export { journalsOf } from './payouts/payout-books.ts';
export { payout as payoutForTest } from './payouts/machine/payout.testing.ts';
export { type PayoutMove, type PayoutNode, RAIL_KINDS, payoutMoves } from './payouts/payout-world.testing.ts';
export { reportOfPayout } from './payouts/reported.testing.ts';
export { noteUnrecorded } from './unrecorded/unrecorded-sends.ts';
