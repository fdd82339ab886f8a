// Commands of the desk's tool that have files of their own, by their names.

import { ALARMS } from './commands/desk-alarms.ts';
import { ARRIVALS } from './commands/desk-arrivals.ts';
import { BUSINESSES, HELD } from './commands/desk-businesses.ts';
import { GIVEN } from './commands/desk-coupons.ts';
import { DEBTS } from './commands/desk-debts.ts';
import { DELIVERIES } from './commands/desk-deliveries.ts';
import { PEOPLE } from './commands/desk-people.ts';
import { NEXT } from './commands/desk-next.ts';
import { RAILS } from './commands/desk-rails.ts';
import { REPORTS } from './commands/desk-reports.ts';
import { RESTORED } from './commands/desk-restored.ts';
import { SCAN } from './commands/desk-scan.ts';
import { SESSIONS } from './desk-session.ts';
import { SETTINGS } from './commands/desk-settings.ts';
import { STOPS } from './commands/desk-stops.ts';
import { SUPPORT, type SupportTool } from './commands/desk-support.ts';

/** Each takes the tool and the words after its name. */
export const COMMANDS: Readonly<Record<string, (tool: SupportTool, args: readonly string[]) => Promise<void>>> = {
  ...{ ...ALARMS, ...DELIVERIES, ...SUPPORT, ...DEBTS, ...ARRIVALS, ...GIVEN, ...SETTINGS, ...PEOPLE, ...SESSIONS },
  ...BUSINESSES,
  ...HELD,
  ...NEXT,
  ...RAILS,
  ...REPORTS,
  ...RESTORED,
  ...SCAN,
  ...STOPS,
};
