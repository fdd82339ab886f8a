import assert from 'node:assert/strict';
import type { Browser } from 'playwright-core';
import { type Looker, type ShownPage, type View, allPages, openLooker } from './pages.ts';
import type { System } from '../harness/system.ts';

/** Words of page names, to test only some pages: a page is tested if its name contains one of them. */
const ONLY = process.env['KURS_PAGES']?.split(' ');

/** True if a page is to be tested. */
export const isWanted = ({ name }: ShownPage): boolean => ONLY === undefined || ONLY.some((word) => name.includes(word));

/**
 * Returns the pages to be tested. They are created anew for each test, since a calculation is valid for half an hour, which one
 * test may need.
 */
export const wantedPages = async (system: System): Promise<ShownPage[]> => (await allPages(system)).filter(isWanted);

/** Opens each page in one window with the view. Throws an error with all faults after the last page. */
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
