/** Returns the faults of a page's HTML. */
export { htmlFaults } from '../../tools/html-rules.ts';
