// Tests of the site and browser journeys measure the size of pages by this one function.
export { compressed, weigh } from '../../tools/page-size.ts';
