// Who somebody is: account holders, their sessions, and the one-time codes that show who reads a mailbox.
//
// account holder   a person with an account, known by an e-mail address
// session          one signed-in device; its token is shown once and kept as a hash
// code             six digits by mail, for one purpose and one subject

export { authRoutes, countCode, type AuthDeps } from './routes.ts';
export { whoIs, type SignedIn } from './sign-in.ts';
export { CODE, makeCode, spendCode, tryCode, type CodeFor, type CodePurpose } from './codes.ts';
