/**
 * An address of which only its first letter and where it is read are told: enough to know somebody by who is known already,
 * too little to write to a stranger.
 */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf('@');
  const [local, host] = at < 0 ? [email, ''] : [email.slice(0, at), email.slice(at)];
  return `${[...local].length > 1 ? ([...local][0] ?? '') : ''}•••${host}`;
}

/** Who sent a transfer, as its receiver reads it. A name can be anything, so the address always stands beside it. */
export const senderNamed = ({ name, email }: { readonly name: string; readonly email: string }): string =>
  name.trim() === '' ? maskEmail(email) : `${name.trim()} (${maskEmail(email)})`;
