/**
 * Alarms: what a person must look at now, and telling them of it.
 *
 * - **Found**: what a look has found: a rail that is down, a reserve that is low, books that differ.
 * - **Alarm**: the same, kept while it lasts. People are told once, reminded, and told when it is over.
 * - **Line**: what is told beside the mail: a webhook, and a line of a file.
 */
export { alarmWebhook } from './deliver.ts';
export { runAlarms, runAlarmsBeside } from './run.ts';
export { runDatabaseAlarm } from './database-away.ts';
export { alarmRoutes } from './routes.ts';
export { stateFigures } from './figures.ts';
export { forgetTold, hasAlarmSince } from './store.ts';
