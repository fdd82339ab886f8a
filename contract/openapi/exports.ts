import { OF_ALL, problemResponses } from './problem-responses.ts';

type Json = { [key: string]: unknown };

/** Paths of downloads, and their descriptions for integrators. Downloads answer with a file instead of JSON. */
export const EXPORTS = {
  orders: {
    path: '/export/order-transactions',
    operation: 'orderExport',
    tag: 'Account',
    summary: 'The account holder’s orders as a file, newest first. Takes a session or a ticket',
  },
  transactions: {
    path: '/export/transactions',
    operation: 'transactionExport',
    tag: 'Wallets',
    summary:
      'Operations of the caller’s wallets as a file, by wallet, oldest first, with the available balances before and after. Takes a session or a ticket',
  },
  statistics: {
    path: '/export/affiliate-statistics',
    operation: 'affiliateStatisticsExport',
    tag: 'Affiliates',
    summary: 'Statistics of the caller’s links as a file, by day and campaign. Takes a session or a ticket',
  },
  storeEntries: {
    path: '/export/store-entries',
    operation: 'storeEntryExport',
    tag: 'Reports',
    summary:
      'A store’s month as a file: for each unit the opening, its entries, oldest first, and the closing. Takes a session or a ticket',
  },
  storeInvoices: {
    path: '/export/store-invoices',
    operation: 'storeInvoiceExport',
    tag: 'Reports',
    summary: 'A store’s invoices as a file, newest first. Takes a session or a ticket',
  },
  storePayments: {
    path: '/export/store-payments',
    operation: 'storePaymentExport',
    tag: 'Reports',
    summary: 'The payments of a store’s invoices as a file. Takes a session or a ticket',
  },
  storeRefunds: {
    path: '/export/store-refunds',
    operation: 'storeRefundExport',
    tag: 'Reports',
    summary: 'A store’s refunds as a file, newest first. Takes a session or a ticket',
  },
} as const;

/** Path of the download with all data of an account. */
export const ACCOUNT_EXPORT_PATH = '/export/account';

/** Returns the OpenAPI path item of the account's download, by its path. `problem`: schema of a problem. */
export function accountExportPath(problem: Json): Record<string, Json> {
  const get = {
    operationId: 'accountExport',
    summary: 'All data of the account: profile, sign-in, sessions, wallets, orders, and operations',
    description:
      'One JSON file, streamed to anyone with a ticket from `/user/export/ticket`. `unauthorised` if the ticket was used or has expired, or its session has ended.',
    tags: ['Account'],
    security: [{}],
    parameters: [{ name: 'ticket', in: 'query', required: true, schema: { type: 'string' } }],
    responses: {
      200: { description: 'The file', content: { 'application/json': { schema: { type: 'object' } } } },
      ...problemResponses(['unauthorised', ...OF_ALL], problem),
    },
  };
  return { [`/api/v1${ACCOUNT_EXPORT_PATH}`]: { get } };
}

const DESCRIPTION =
  'Streamed, as CSV or as a workbook (`format=xlsx`). With `Authorization`, the list’s filters say what is in it; with `ticket` those that the ticket was made for. A CSV begins with a byte order mark; in it, texts that a spreadsheet would take for formulas have an apostrophe before them; in a workbook every text is a string in its cell, and an amount a number as far as a spreadsheet keeps its digits.';

const WORKBOOK = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

/**
 * Returns the OpenAPI path items of the downloads, by path. `problem`: schema of a problem; `inputs`: schemas of the filters, by
 * the name of the download.
 */
export function exportPaths(problem: Json, inputs: Readonly<Record<keyof typeof EXPORTS, Json>>): Record<string, Json> {
  return Object.fromEntries(
    (Object.keys(EXPORTS) as (keyof typeof EXPORTS)[]).map((name) => {
      const { path, operation, tag, summary } = EXPORTS[name];
      // Members of a store read its lists by their roles.
      const ofMembers = tag === 'Reports' ? (['forbidden'] as const) : [];
      const get = {
        operationId: operation,
        summary,
        description: DESCRIPTION,
        tags: [tag],
        security: [{ user: [] }, {}],
        parameters: parametersOf(inputs[name]),
        responses: {
          200: {
            description: 'The file',
            content: { 'text/csv': { schema: { type: 'string' } }, [WORKBOOK]: { schema: { type: 'string', format: 'binary' } } },
          },
          ...problemResponses(['unauthorised', 'validation', 'rate_limited', ...ofMembers, ...OF_ALL], problem),
        },
      };
      return [`/api/v1${path}`, { get }];
    }),
  );
}

function parametersOf(input: Json): Json[] {
  const fields = Object.entries((input['properties'] ?? {}) as Record<string, Json>);
  const description = 'From `…/ticket`: good once, for 60 s';
  return [
    { name: 'ticket', in: 'query', required: false, schema: { type: 'string' }, description },
    ...fields.map(([name, schema]) => ({
      name: schema['type'] === 'array' ? `${name}[]` : name,
      in: 'query',
      required: false,
      schema,
    })),
  ];
}
