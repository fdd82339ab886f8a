/**
 * Signing: the inside of the signer process. Nobody else imports it, but for the public keys.
 *
 * - **Seed**: 24 words in `keys/seed`, the only secret; everything else is derived from it.
 * - **Public keys**: published by the signer in `keys/public.json` for API and worker.
 * - **Journal**: the signer's own record of its signatures, in `keys/signed.jsonl`.
 * - **Cap**: maximum of a currency that may leave within 24 hours, whatever the database approves.
 */
export { keysFolder, loadSeed, publishKeys, readPublicKeys } from './keys.ts';
export { openJournal } from './journal.ts';
export { readPayouts } from './approved.ts';
export { serveSigner } from './serve.ts';
export { beginJournal, openBooksComparison } from './books.ts';
