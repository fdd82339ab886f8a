import type { BotProvider } from './bot/bot-provider.ts';
import type { Screener } from './screening/screener.ts';

export type ComplianceOptions = {
  /** Key that challenges are signed with, from the server's secrets; only a process that is asked for some has it. */
  readonly botKey?: string;
  /** A token that passes in place of a solved challenge: `sandbox` in the sandbox, none in live mode. */
  readonly passToken?: string;
  /** Whether requests from this machine itself count towards bounds per network. */
  readonly countLoopback: boolean;
  /** Who checks for robots in place of our own proof of work. */
  readonly provider?: BotProvider;
  readonly screener?: Screener;
};

let options: ComplianceOptions | undefined;

/** Gives this process what the room needs from its configuration; called once at start. */
export function configureCompliance(given: ComplianceOptions): void {
  options = given;
}

/** What `configureCompliance` was given. Throws before it was called. */
export function configured(): ComplianceOptions {
  if (!options) throw new Error('configureCompliance has not been called in this process');
  return options;
}
