// Pages are weighed alike by these tests and by the journeys.
export { compressed } from '../../tools/page-size.ts';
