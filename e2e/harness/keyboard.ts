import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { until } from './system.ts';

/**
 * Script that describes the focused element: its name, and if its focus is visible (on it, or on its field or row), on the
 * screen, and not covered by a fixed bar.
 */
const FOCUSED = `(() => {
  const one = document.activeElement;
  if (!one || one === document.body) return undefined;
  const shows = ({ outlineStyle, outlineWidth, boxShadow }) =>
    (outlineStyle !== 'none' && outlineWidth !== '0px') || boxShadow !== 'none';
  const around = [one];
  while (around.length < 5 && around.at(-1).parentElement) around.push(around.at(-1).parentElement);
  const box = one.getBoundingClientRect();
  const visible = box.width < 2 ? around[1].getBoundingClientRect() : box;
  const [x, y] = [visible.left + Math.min(visible.width, innerWidth) / 2, (Math.max(visible.top, 0) + Math.min(visible.bottom, innerHeight)) / 2];
  const top = document.elementFromPoint(x, y);
  const stays = (part) => { for (let up = part; up; up = up.parentElement) if (/fixed|sticky/.test(getComputedStyle(up).position)) return up; };
  const bar = top && !top.contains(one) && !one.contains(top) ? stays(top) : undefined;
  return {
    name: one.outerHTML.slice(0, 160),
    isSeen: shows(getComputedStyle(one, '::after')) || around.some((part) => shows(getComputedStyle(part))),
    isInside: box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth,
    isCovered: bar !== undefined && !bar.contains(one),
  };
})()`;
interface Focused {
  readonly name: string;
  readonly isSeen: boolean;
  readonly isInside: boolean;
  readonly isCovered: boolean;
}

/** Maximum number of stops. No page has so many, so more of them mean that the focus is trapped. */
const MAX = 400;

/**
 * Goes through an open page by Tab alone. Asserts that the focus is always visible, on the screen and uncovered, and that it
 * leaves the page at the end. Returns the number of different stops, which must be at least `min`.
 */
export async function goThrough(page: Page, where: string, min: number): Promise<number> {
  const seen = new Set<string>();
  for (let step = 0; ; step += 1) {
    assert.ok(step < MAX, `${where}: the keyboard doesn’t get out`);
    await page.keyboard.press('Tab');
    const focused = await page.evaluate<Focused | undefined>(FOCUSED);
    if (!focused) break;
    seen.add(focused.name);
    assert.ok(focused.isSeen, `${where}: the focus is not seen on ${focused.name}`);
    assert.ok(focused.isInside, `${where}: the focus is off the screen on ${focused.name}`);
    assert.ok(!focused.isCovered, `${where}: something covers ${focused.name}`);
  }
  assert.ok(seen.size >= min, `${where}: the keyboard reaches ${seen.size} things`);
  return seen.size;
}

const AT_MAIN = 'document.activeElement?.id === "main"';
const IN_MAIN =
  'document.querySelector("main, footer").contains(document.activeElement) || document.activeElement.closest("footer") !== null';

/**
 * Asserts that the first stop of an open page skips the header: it leads to the content, and the next stop is inside the content.
 */
export async function skipsAhead(page: Page, where: string): Promise<void> {
  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate('document.activeElement.getAttribute("href")'), '#main', `${where}: the first stop`);
  await page.keyboard.press('Enter');
  await until(`${where}: the content to have the focus`, 15_000, () => page.evaluate<boolean>(AT_MAIN), 20);
  await page.keyboard.press('Tab');
  assert.ok(await page.evaluate<boolean>(IN_MAIN), `${where}: behind the link past the header`);
}

/** Asserts that each menu of the header opens by a key, and that Escape closes it and returns the focus to its button. */
export async function menusClose(page: Page, where: string): Promise<void> {
  for (const summary of await page.locator('header details > summary:visible').all()) {
    await summary.press('Enter');
    await page.locator('header details[open]').waitFor({ state: 'attached' });
    await page.keyboard.press('Tab');
    await page.keyboard.press('Escape');
    await page.locator('header details[open]').waitFor({ state: 'detached' });
    const name = await page.evaluate('document.activeElement?.matches("summary") && document.activeElement.textContent');
    assert.equal(name, await summary.textContent(), `${where}: the focus is back`);
  }
}
