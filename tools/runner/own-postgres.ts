// A PostgreSQL for journeys over a database of the operator's own: empty, and gone with the process that started it.

export { startTestServer as startOwnPostgres } from '../../server/platform/testing.ts';
