// Who somebody is: account holders, their sessions, and what shows who asks: a mailed code, a password.
//
// account holder   a person with an account, known by an e-mail address
// session          one signed-in device; its token is shown once and kept as a hash
// code             six digits by mail, for one purpose and one subject
// freeze           after a reset no money leaves for some days

export { authRoutes } from './routes.ts';
export type { AuthDeps } from './room.ts';
export { countCode } from './mailed-code.ts';
export { freezeOf, type Freeze, type FreezeReason } from './freeze.ts';
export { emailKey } from './holder.ts';
export { whoIs, type SignedIn } from './sign-in.ts';
export { CODE, makeCode, spendCode, tryCode, type CodeFor, type CodePurpose } from './codes.ts';
