import type { Browser } from 'playwright-core';
import { closeLast } from '../../tools/runner/closing.ts';
import { startBrowser } from './browser.ts';
import { type System, startSystem } from './system.ts';

/** A running product and a browser. */
export interface Stage {
  readonly system: System;
  readonly browser: Browser;
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
  const [system, browser] = await Promise.all([startSystem(), startBrowser()]);
  closeLast(async () => {
    await browser.close();
    await system.stop();
  });
  return { system, browser };
}
