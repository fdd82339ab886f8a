// What all rooms together know and do of one account: its export, its closing, its news, the stream that tells its pages.

export { mountAccountExport } from './account-export.ts';
export { watchAccounts, type AccountWatch } from './account-watch.ts';
export { forget, whatIsLeft } from './leaving.ts';
export { moveAddress } from './moving.ts';
export { noticeWorks } from './notices.ts';
export { signedInUsers, type SignedInUsers } from './signed-in.ts';
