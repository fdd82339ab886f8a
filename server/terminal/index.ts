// Commands of the terminal: questions, output and error handling, and the parts of the desk's tool.

export { openQuestions } from './ask.ts';
export { UsageError, runCommand } from './command.ts';
export { COMMANDS } from './desk-commands.ts';
export { DOUBTS } from './commands/desk-doubts.ts';
export { ORDER_ACTIONS, help, surplusOf } from './desk-help.ts';
export { typed } from './desk-options.ts';
export { makeKey } from './commands/desk-people.ts';
export { print, printAll, printAnswer, printTable, wrap } from './desk-print.ts';
export { claimRow, depositRow, orderRow, quoteRow, withdrawalRow } from './desk-rows.ts';
export { bannerOf } from './commands/desk-restored.ts';
export { bearerOf, hintOf, type OwnKey } from './desk-session.ts';
export { shownFingerprint } from './key-words.ts';
export { areWrittenDown, askSeed } from './seed-words.ts';
