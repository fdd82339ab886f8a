import type { Browser } from 'playwright-core';
import { closeLast } from '../../tools/runner/closing.ts';
import { startBrowser } from './browser.ts';
import { type Hook, openHook } from './hook.ts';
import { type System, startSystem } from './system.ts';

/** A running product and a browser. */
export interface Stage {
  readonly system: System;
  readonly browser: Browser;
  /** The one private address that the system's webhooks may go to. */
  readonly hook: Hook;
}

let stage: Promise<Stage> | undefined;

/**
 * The one of this process, for journeys that leave what is not theirs as it is: they move no clock, stop nothing and
 * change no setting for others. Files that end in `.together.journey.ts` get one process from the runner, any other has its
 * own. One that moves the clock ends in `.clock.together.journey.ts`, and the runner has it come last.
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
