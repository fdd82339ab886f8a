import type { BotProvider } from './bot/bot-provider.ts';
import type { Screener } from './screening/screener.ts';

export type ComplianceOptions = {
  /** Key that signs challenges, from the server's secrets. Only processes that make challenges have this key. */
  readonly botKey?: string;
  /** Token that is accepted in place of a solved challenge: `sandbox` in the sandbox, none in live mode. */
  readonly passToken?: string;
  /** True if limits per network also apply to requests from this machine. */
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
