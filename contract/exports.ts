/** Where the orders are downloaded from: a file, so no call like the others. */
export const ORDER_EXPORT_PATH = '/export/order-transactions';

type Json = { [key: string]: unknown };

/** The paths of downloads, for the OpenAPI document; `problem` is the schema of one, `input` that of the filters. */
export function exportPaths(problem: Json, input: Json): Record<string, Json> {
  const fields = Object.entries((input['properties'] ?? {}) as Record<string, Json>);
  const told = (description: string): Json => ({ description, content: { 'application/problem+json': { schema: problem } } });
  const get = {
    operationId: 'orderExport',
    summary: 'The account holder’s orders as a file, newest first: with a session, or with a ticket in its place',
    description:
      'Streamed. With `Authorization`, the list’s filters say which orders; with `ticket` those that the ticket was made for. Texts that a spreadsheet would take for formulas have an apostrophe before them.',
    tags: ['Account'],
    security: [{ user: [] }, {}],
    parameters: [
      {
        name: 'ticket',
        in: 'query',
        required: false,
        schema: { type: 'string' },
        description: 'From `…/ticket`: good once, for 60 s',
      },
      ...fields.map(([name, schema]) => ({
        name: schema['type'] === 'array' ? `${name}[]` : name,
        in: 'query',
        required: false,
        schema,
      })),
    ],
    responses: {
      200: { description: 'The file', content: { 'text/csv': { schema: { type: 'string' } } } },
      401: told('`unauthorised`: neither a session nor a ticket that stands'),
      422: told('`validation`'),
      429: told('`rate_limited`'),
    },
  };
  return { [`/api/v1${ORDER_EXPORT_PATH}`]: { get } };
}
