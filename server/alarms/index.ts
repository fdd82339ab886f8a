/**
 * Alarms: problems that need a person, and notifying people of them.
 *
 * - **Found**: a finding of a check: a rail that is down, a low reserve, books that differ.
 * - **Alarm**: a finding that is stored while it lasts. People are notified once, reminded, and notified when it is over.
 * - **Line**: a message other than mail: to a webhook, and as a line of a file.
 */
export { alarmWebhook } from './deliver.ts';
export { runAlarms, runAlarmsBeside } from './run.ts';
export { runDatabaseAlarm } from './database-away.ts';
export { alarmRoutes } from './routes.ts';
export { stateFigures } from './figures.ts';
export { forgetReported, hasAlarmSince } from './store.ts';
