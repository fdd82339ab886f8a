/** Browser of the journeys. */
export { layOutAll, startBrowser } from '../../tools/browser.ts';
