// Commands of the terminal: what they ask, print and do with an error, and the parts of the desk tool.

export { openQuestions, type Questions } from './ask.ts';
export { UsageError, runCommand } from './command.ts';
export { ALARMS } from './commands/desk-alarms.ts';
export { ARRIVALS } from './commands/desk-arrivals.ts';
export { GIVEN } from './commands/desk-coupons.ts';
export { DEBTS } from './commands/desk-debts.ts';
export { DELIVERIES } from './commands/desk-deliveries.ts';
export { DOUBTS } from './commands/desk-doubts.ts';
export { ORDER_ACTIONS, help, surplusOf } from './desk-help.ts';
export { typed } from './desk-options.ts';
export { PEOPLE, makeKey } from './commands/desk-people.ts';
export { print, printAll, printAnswer, printTable, wrap } from './desk-print.ts';
export { capitalRows, depositRow, orderRow, placeRows, quoteRow, railRow, reserveRows, withdrawalRow } from './desk-rows.ts';
export { SESSIONS, bearerOf, hintOf, type OwnKey } from './desk-session.ts';
export { SETTINGS } from './commands/desk-settings.ts';
export { SUPPORT } from './commands/desk-support.ts';
export { shownFingerprint } from './key-words.ts';
