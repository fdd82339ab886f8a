import type { Receipt } from '@kurs/contract/receipt';

/** A receipt as a file to keep: its name, and an address that holds all of it, so that no server is asked for it. */
export function receiptFile(id: string, receipt: Receipt): { href: string; name: string } {
  const { payload, signature, key_id } = receipt;
  const text = `${JSON.stringify({ payload, signature, key_id }, null, 2)}\n`;
  return { href: `data:application/json;charset=utf-8,${encodeURIComponent(text)}`, name: `${id}.json` };
}
