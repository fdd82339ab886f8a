import type { ReceiptKey } from '@kurs/contract/receipt';
import { type Checked, LONGEST, checkReceipt } from '../../../features/receipt/check.ts';
import { m } from '../../../features/words.ts';
import type { Head } from '../../../server/document/document.ts';
import type { Visit } from '../../../server/routing/visit.ts';

export interface VerifyData {
  readonly head: Head;
  /** All keys with which this desk has ever signed receipts, so that any of its receipts can be checked. */
  readonly keys: readonly ReceiptKey[];
}

export interface VerifyAnswer {
  readonly checked: Checked;
  readonly text: string;
}

export async function load(visit: Visit): Promise<VerifyData> {
  const { keys } = await visit.client.receiptKeys({});
  return { head: { title: m.verify_head(), description: m.verify_description() }, keys };
}

/** Checks a receipt on the server, by the same rules as the browser. Used if the browser has no JavaScript or no Ed25519. */
export async function submit(visit: Visit, form: URLSearchParams): Promise<VerifyAnswer> {
  const text = form.get('receipt') ?? '';
  const { keys } = await visit.client.receiptKeys({});
  return { checked: await checkReceipt(text, keys), text: text.slice(0, LONGEST) };
}
