/**
 * Masks an e-mail address except its first letter and host. That is enough to recognise a known person, and too little to write
 * to a stranger.
 */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf('@');
  const [local, host] = at < 0 ? [email, ''] : [email.slice(0, at), email.slice(at)];
  return `${[...local].length > 1 ? ([...local][0] ?? '') : ''}•••${host}`;
}

/**
 * Returns the name of a transfer's sender for the receiver. A name can be any text, so the masked address always stands beside
 * it.
 */
export const senderNamed = ({ name, email }: { readonly name: string; readonly email: string }): string =>
  name.trim() === '' ? maskEmail(email) : `${name.trim()} (${maskEmail(email)})`;
