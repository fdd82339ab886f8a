// What a page may weigh is said once, for these tests and for the journeys.
export { BUDGET, compressed } from '../../tools/page-size.ts';
