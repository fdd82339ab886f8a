import assert from 'node:assert/strict';
import type { Browser } from 'playwright-core';
import { type Looker, type ShownPage, type View, allPages, openLooker } from './pages.ts';
import type { System } from '../harness/system.ts';

/** Pages whose names hold one of these words, where somebody looks for a fault in few. */
const ONLY = process.env['KURS_PAGES']?.split(' ');

/** Whether a page is to be looked at. */
export const isWanted = ({ name }: ShownPage): boolean => ONLY === undefined || ONLY.some((word) => name.includes(word));

/** Every page to be looked at. Made anew for each test: a calculation lives half an hour, which all of them may take. */
export const wantedPages = async (system: System): Promise<ShownPage[]> => (await allPages(system)).filter(isWanted);

/** Shows each page in one window of a view. Throws with all that is wrong, once all have been looked at. */
export async function lookAt(
  browser: Browser,
  base: string,
  shown: readonly ShownPage[],
  view: View,
  work: (looker: Looker, page: ShownPage) => Promise<void>,
): Promise<void> {
  const looker = await openLooker(browser, base, view);
  const faults: string[] = [];
  for (const page of shown) {
    try {
      await looker.page.setViewportSize({ width: view.width, height: 900 });
      await looker.show(page);
      await work(looker, page);
      assert.deepEqual(looker.complaints, [], `${page.name} ${view.language} ${view.theme}`);
    } catch (error) {
      faults.push(`${page.name}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  await looker.close();
  assert.deepEqual(faults, []);
}
