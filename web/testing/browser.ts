/** The browser that the journeys use. */
export { startBrowser } from '../../tools/browser.ts';
