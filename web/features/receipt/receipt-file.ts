import type { Receipt } from '@kurs/contract/receipt';

/** Returns a receipt as a file to download: its name, and a data URL with its content, so that saving needs no request. */
export function receiptFile(id: string, receipt: Receipt): { href: string; name: string } {
  return { href: `data:application/json,${encodeURIComponent(JSON.stringify(receipt))}`, name: `${id}.json` };
}
