// These tests and the journeys measure pages by the same function.
export { compressed } from '../../tools/page-size.ts';
