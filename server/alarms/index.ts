/**
 * Alarms: problems that need a person, and the messages to people about them.
 *
 * - **Found**: a problem that a check has found, such as a rail that is down, a low reserve, or books that differ.
 * - **Alarm**: a found problem, stored while it lasts. People are notified when it begins, reminded while it lasts, and
 *   notified when it is over.
 * - **Line**: a message in one line, for the webhook and for the file of all alarms.
 */
export { alarmWebhook } from './deliver.ts';
export { runAlarms, runAlarmsBeside, runConsoleBeat } from './run.ts';
export { runDatabaseAlarm } from './database-away.ts';
export { alarmRoutes } from './routes.ts';
export { stateFigures } from './figures.ts';
export { forgetReported, hasAlarmSince } from './store.ts';
