import type { BotProvider } from './bot/bot-provider.ts';
import type { Screener } from './screening/screener.ts';

export type ComplianceOptions = {
  /** Key that challenges are signed with, from the server's secrets. Only processes that make challenges have it. */
  readonly botKey?: string;
  /** Token that passes in place of a solved challenge: `sandbox` in the sandbox, none in live mode. */
  readonly passToken?: string;
  /** True if requests from this machine count towards limits per network. */
  readonly isLoopbackCounted: boolean;
  /** Provider of robot checks, in place of our own proof of work. */
  readonly provider?: BotProvider;
  readonly screener?: Screener;
};

let options: ComplianceOptions | undefined;

/** Configures the room for this process; called once at start. */
export function configureCompliance(given: ComplianceOptions): void {
  options = given;
}

/** Returns the configuration. Throws if `configureCompliance` was not called. */
export function configured(): ComplianceOptions {
  if (!options) throw new Error('configureCompliance has not been called in this process');
  return options;
}
