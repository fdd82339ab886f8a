// The desk tool's part of payment systems: how they stand, where their capital is sent, and what the desk has on them.

import { READ, capitalRows, placeRows, railRow, reserveRows } from '../desk-rows.ts';
import type { SupportTool } from './desk-support.ts';

const NONE = 'No payment system is set up: rails says what each misses.';

/** The commands by their names. */
export const RAILS: Readonly<Record<string, (tool: SupportTool) => Promise<void>>> = {
  async rails({ client, isJson, table, print }) {
    const found = await client.operatorRails({});
    table(isJson ? found : found.map(railRow));
    // When settings were read stands once, below all that are not set up.
    const read = found.map(({ detail }) => READ.exec(detail)?.[1]).find((words) => words !== undefined);
    if (!isJson && read !== undefined) print(`Settings were ${read}. What one needs: npm run config -- NAME`);
  },
  async capital({ client, table }) {
    table(capitalRows(await client.operatorRails({})), NONE);
  },
  async reserves({ client, isJson, table }) {
    const found = await client.operatorReserves({});
    if (isJson || found.length === 0) return table(found, NONE);
    table(reserveRows(found));
    table(placeRows(found), 'No place was compared yet.');
  },
};
