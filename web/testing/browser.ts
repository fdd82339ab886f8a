/** The browser that the journeys use. */
export { layOutAll, startBrowser } from '../../tools/browser.ts';
