import type { Receipt } from '@kurs/contract/receipt';

/** A receipt as a file to keep: its name, and an address that holds all of it, so that no server is asked for it. */
export function receiptFile(id: string, receipt: Receipt): { href: string; name: string } {
  return { href: `data:application/json,${encodeURIComponent(JSON.stringify(receipt))}`, name: `${id}.json` };
}
