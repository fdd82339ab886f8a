interface Policy {
  createScriptURL(url: string): string;
}

interface TrustedTypes {
  createPolicy(name: string, rules: Policy): Policy;
}

let policy: Policy | undefined;

/**
 * Hides from a script of others which page of ours was looked at before: its address may hold an order's secret. To be called
 * before such a script is loaded.
 */
export function hideReferrer(): void {
  Object.defineProperty(document, 'referrer', { value: '', configurable: true });
}

/**
 * The address of a script or a worker, marked as trusted where the browser asks for it. For addresses of our own build and of
 * the configuration only: what a person or an answer says never comes here.
 */
export function trustedScriptUrl(url: string): string {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  const rules: Policy = { createScriptURL: (given) => given };
  policy ??= trustedTypes?.createPolicy('kurs', rules) ?? rules;
  return policy.createScriptURL(url);
}
