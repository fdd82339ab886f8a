import type { Browser } from 'playwright-core';
import { closeLast } from '../../tools/runner/closing.ts';
import { startBrowser } from './browser.ts';
import { type Hook, openHook } from './hook.ts';
import { type System, startSystem } from './system.ts';

/** Running product with a browser and a postback server. */
export interface Stage {
  readonly system: System;
  readonly browser: Browser;
  /** The only private address to which the system's webhooks may be sent. */
  readonly hook: Hook;
}

let stage: Promise<Stage> | undefined;

/**
 * Returns the stage that all journeys of this process share. They must not affect each other: they move no clock, stop nothing
 * and change no setting of others. The runner uses one process for all files that end in `.together.journey.ts`, and one for each
 * other file. A journey that moves the clock ends in `.clock.together.journey.ts` and runs last.
 */
export function sharedStage(): Promise<Stage> {
  stage ??= open();
  return stage;
}

async function open(): Promise<Stage> {
  const hook = await openHook();
  closeLast(async () => hook.close());
  const system = await startSystem({ env: { KURS_PRIVATE_WEBHOOKS: hook.origin } });
  closeLast(() => system.stop());
  const browser = await startBrowser();
  closeLast(() => browser.close());
  return { system, browser, hook };
}
