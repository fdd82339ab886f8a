/** What is wrong with a page's HTML. */
export { htmlFaults } from '../../tools/html-rules.ts';
