import { type Output, Problem, type Routes } from '@kurs/contract';
import type { Context, Tx } from '../../platform/index.ts';
import type { Holder } from '../accounts/holder.ts';
import type { AuthDeps } from './room.ts';
import { showUser } from './shown-user.ts';
import { type Leave, signIn } from './sign-in.ts';
import { holderById } from '../accounts/store.ts';

/**
 * Begins a session. Returns the answer, which is the same for all ways to sign in. Throws `record_altered`, and the errors of
 * `signIn`.
 */
export async function beginSession(
  tx: Tx,
  { name, levelOf, signedIn }: AuthDeps,
  { leave, holder }: { leave: Leave; holder: Holder },
  context: Context,
): Promise<Output<Routes['login']>> {
  const { userAgent: device, ip } = context;
  const token = await signIn(tx, leave, { holder, device, ip, browser: context.introduceBrowser?.(), name });
  // The account is read again, since signing in may have changed it, for example by a freeze.
  const shown = await holderById(tx, holder.id);
  if (!shown) throw new Problem('unauthorised');
  if (shown.isAltered) throw new Problem('record_altered');
  if (shown.emailVerifiedAt) await signedIn?.(tx, shown.email);
  return { access_token: token, user: await showUser(tx, shown, { levelOf, now: tx.now }) };
}
