// The desk tool's commands for payment systems: state, addresses for capital, and reserves.

import { READ, capitalRows, placeRows, railRow, reserveRows } from '../desk-rows.ts';
import type { SupportTool } from './desk-support.ts';

const NONE = 'No payment system is set up: rails says what each misses.';

/** Commands by their names. */
export const RAILS: Readonly<Record<string, (tool: SupportTool) => Promise<void>>> = {
  async rails({ client, isJson, table, print }) {
    const found = await client.operatorRails({});
    table(isJson ? found : found.map(railRow));
    // The time of reading is printed once, below all systems that are not set up.
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
