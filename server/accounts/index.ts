// Work on one account that involves all rooms: export, change of address, closing, notices, and the event stream for the
// account's open pages.

export { mountAccountExport } from './account-export.ts';
export { watchAccounts, type AccountWatch } from './account-watch.ts';
export { forget, whatIsLeft } from './leaving.ts';
export { moveAddress } from './moving.ts';
export { noticeHandlers } from './notices.ts';
export { signedInUsers, type SignedInUsers } from './signed-in.ts';
